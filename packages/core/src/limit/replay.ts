/** Runs a trace of requests, recorded or made up, against limits: what would have been admitted, refused and banned. */
import type { UsageRecord } from "../port/Usage.js"
import type { BanPolicy } from "./Ban.js"
import type { Decision } from "./Decision.js"
import type { Limits } from "./Plan.js"
import { rateLimit } from "./RateLimit.js"
import { MINUTE_MS, windowStartMs } from "./Window.js"

/** One request of a trace. All requests of one key share its limits, whatever a key is here: an account, a customer, a host. */
export type TracedRequest = { readonly atMs: number; readonly key: string }

/** `refused` by a limit, `banned` during a ban. */
export type Tally = { readonly admitted: number; readonly refused: number; readonly banned: number }

export type Replay = {
  readonly total: Tally
  /** In the order in which the keys first came. */
  readonly keys: ReadonlyArray<Tally & { readonly key: string }>
  /** The UTC minutes in which there were requests, in order, with the keys that made some. */
  readonly minutes: ReadonlyArray<
    Tally & { readonly startMs: number; readonly keys: ReadonlyArray<Tally & { readonly key: string }> }
  >
  /** How many requests stood behind a later one in the trace. */
  readonly outOfOrder: number
}

type Count = { -readonly [K in keyof Tally]: number }

const none = (): Count => ({ admitted: 0, refused: 0, banned: 0 })

const COUNTED_AS: { readonly [D in Decision["_tag"]]: keyof Tally } = {
  Admitted: "admitted",
  RateLimited: "refused",
  KeyBanned: "banned"
}

const countOf = <K>(counts: Map<K, Count>, key: K): Count => {
  const count = counts.get(key) ?? none()
  counts.set(key, count)
  return count
}

const listed = (counts: ReadonlyMap<string, Count>) => [...counts].map(([key, count]) => ({ key, ...count }))

/**
 * The policy applied to each request in turn, as one process would. Requests are taken in the order of their times, and in that of
 * the trace where times are equal: logs of several servers need not be merged first. Every key starts unused.
 */
export const replay = (trace: Iterable<TracedRequest>, limits: Limits, policy?: BanPolicy): Replay => {
  const requests = [...trace]
  let latestMs = Number.NEGATIVE_INFINITY
  let outOfOrder = 0
  for (const { atMs } of requests) {
    if (atMs < latestMs) outOfOrder++
    latestMs = Math.max(latestMs, atMs)
  }
  if (outOfOrder > 0) requests.sort((left, right) => left.atMs - right.atMs)

  const usages = new Map<string, UsageRecord>()
  const total = none()
  const keys = new Map<string, Count>()
  const minutes = new Map<number, { readonly total: Count; readonly keys: Map<string, Count> }>()
  for (const { atMs, key } of requests) {
    const [decision, next] = rateLimit(limits, usages.get(key), atMs, policy)
    usages.set(key, next)
    const startMs = windowStartMs(atMs, MINUTE_MS)
    const minute = minutes.get(startMs) ?? { total: none(), keys: new Map() }
    minutes.set(startMs, minute)
    const counted = COUNTED_AS[decision._tag]
    for (const count of [total, countOf(keys, key), minute.total, countOf(minute.keys, key)]) count[counted]++
  }
  return {
    total,
    keys: listed(keys),
    minutes: [...minutes].map(([startMs, minute]) => ({
      startMs,
      ...minute.total,
      keys: listed(minute.keys)
    })),
    outOfOrder
  }
}
