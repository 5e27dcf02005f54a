/**
 * Runs a trace of requests, recorded or made up, against limits: what would have been admitted,
 * refused and banned.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import type { BanPolicy } from "./Ban.js"
import type { Decision } from "./Decision.js"
import type { Limits } from "../account/Plan.js"
import { rateLimit } from "./RateLimit.js"
import { MINUTE_MS } from "../../value/Time.js"
import { windowStartMs } from "./Window.js"

/**
 * One request of a trace. All requests of one key share its limits, whatever a key is here: an
 * account, a customer, a host.
 */
export type TracedRequest = { readonly atMs: number; readonly key: string }

/** `refused` by a limit, `banned` during a ban. */
export type AdmissionCounts = {
  readonly admitted: number
  readonly refused: number
  readonly banned: number
}

/** The tally of one key of a trace. */
export type KeyCounts = AdmissionCounts & { readonly key: string }

/** What limits would have done to a trace of requests. */
export type Replay = {
  readonly total: AdmissionCounts
  /** In the order in which the keys first came. */
  readonly keys: ReadonlyArray<KeyCounts>
  /** The UTC minutes in which there were requests, in order, with the keys that made some. */
  readonly minutes: ReadonlyArray<
    AdmissionCounts & { readonly startMs: number; readonly keys: ReadonlyArray<KeyCounts> }
  >
  /** How many requests stood behind a later one in the trace. */
  readonly outOfOrder: number
}

type Count = { -readonly [K in keyof AdmissionCounts]: number }
type KeyCount = Count & { readonly key: string }
type Minute = { readonly count: Count; readonly keys: Map<string, KeyCount> }

const none = (): Count => ({ admitted: 0, refused: 0, banned: 0 })

const COUNTED_AS: { readonly [D in Decision["_tag"]]: keyof AdmissionCounts } = {
  Admitted: "admitted",
  RateLimited: "refused",
  KeyBanned: "banned"
}

const countOf = (counts: Map<string, KeyCount>, key: string): Count => {
  const count = counts.get(key) ?? { key, ...none() }
  counts.set(key, count)
  return count
}

const minuteOf = (minutes: Map<number, Minute>, startMs: number): Minute => {
  const minute = minutes.get(startMs) ?? { count: none(), keys: new Map<string, KeyCount>() }
  minutes.set(startMs, minute)
  return minute
}

/**
 * Applies the policy to each request, as one process would. Requests are sorted by time, and keep
 * the order of the trace if times are equal, so logs of several servers need not be merged first.
 * Every key starts unused.
 */
export const replay = (
  trace: Iterable<TracedRequest>,
  limits: Limits,
  policy?: BanPolicy
): Replay => {
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
  const keys = new Map<string, KeyCount>()
  const minutes = new Map<number, Minute>()
  for (const { atMs, key } of requests) {
    const [decision, next] = rateLimit(limits, usages.get(key), atMs, policy)
    usages.set(key, next)
    const minute = minuteOf(minutes, windowStartMs(atMs, MINUTE_MS))
    const counted = COUNTED_AS[decision._tag]
    for (const count of [total, countOf(keys, key), minute.count, countOf(minute.keys, key)])
      count[counted]++
  }
  return {
    total,
    keys: [...keys.values()],
    minutes: [...minutes].map(([startMs, { count, keys: own }]) => {
      const { admitted, refused, banned } = count
      return { startMs, admitted, refused, banned, keys: [...own.values()] }
    }),
    outOfOrder
  }
}
