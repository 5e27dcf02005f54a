/**
 * The state of one caller in the memory of a process: the rest of its lease, and its last refusal.
 */
import { type AdmittedRequest, type RefusedRequest, refusedAt } from "./Decision.js"
import { type LeaseGrant, type Lease, largestBlock } from "./Lease.js"
import type { Limits } from "../account/Plan.js"
import type { RateHeaders } from "./RateHeaders.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"

/**
 * A refusal that may be repeated from memory: until `untilMs` the storage would decide the same and
 * store nothing.
 */
type Repeatable = {
  readonly refused: RefusedRequest
  readonly fromMs: number
  readonly untilMs: number
}

/**
 * Mutable and small, as there is one for every caller in memory. Windows are numbers, since V8
 * stores small integers in place.
 */
export type LocalUse = {
  limits: Limits
  /** The minute and the day of the lease, counted from 1970. */
  minute: number
  day: number
  unspent: number
  /**
   * The remaining requests of the headers' window beyond the lease, whether it is a day, and the
   * number of the next window.
   */
  beyond: number
  byDay: boolean
  following: number
  /** The size of the last block that was requested. */
  block: number
  refusal: Repeatable | undefined
}

/**
 * The number of the window since 1970. A 32-bit integer, since V8 boxes larger ones; enough until
 * the year 6053.
 */
const numberOf = (timeMs: number, lengthMs: number): number => Math.floor(timeMs / lengthMs) | 0

export const newLocalUse = (limits: Limits, nowMs: number): LocalUse => ({
  limits,
  minute: numberOf(nowMs, MINUTE_MS),
  day: numberOf(nowMs, DAY_MS),
  unspent: 0,
  beyond: 0,
  byDay: false,
  following: 0,
  block: 0,
  refusal: undefined
})

const sameLimits = (a: Limits, b: Limits): boolean =>
  a === b || (a.perMinute === b.perMinute && a.perDay === b.perDay)

/** Whether the lease is of the minute of `nowMs`. */
const isCurrent = (use: LocalUse, nowMs: number): boolean =>
  nowMs < (use.minute + 1) * MINUTE_MS && nowMs >= use.minute * MINUTE_MS

/**
 * Whether the state is of no more use. An unspent lease of a past minute still counts for its day.
 */
export const isOver = (use: LocalUse, nowMs: number): boolean =>
  !isCurrent(use, nowMs) && (use.refusal === undefined || nowMs >= use.refusal.untilMs)

const headersOfUse = (use: LocalUse, limits: Limits): RateHeaders => ({
  window: use.byDay ? "day" : "minute",
  limit: use.byDay ? limits.perDay : limits.perMinute,
  remaining: use.beyond + use.unspent,
  resetSeconds: (use.following * (use.byDay ? DAY_MS : MINUTE_MS)) / 1_000
})

/**
 * The headers after the last lease of this minute; without one, the minute has nothing remaining.
 */
export const lastKnown = (use: LocalUse | undefined, limits: Limits, nowMs: number): RateHeaders =>
  use !== undefined && use.block > 0 && sameLimits(use.limits, limits) && isCurrent(use, nowMs)
    ? headersOfUse(use, limits)
    : {
        window: "minute",
        limit: limits.perMinute,
        remaining: 0,
        resetSeconds: ((numberOf(nowMs, MINUTE_MS) + 1) * MINUTE_MS) / 1_000
      }

/** Decides from memory, exactly as the storage would; undefined if the storage is needed. */
export const answerLocally = (
  use: LocalUse,
  limits: Limits,
  nowMs: number
): AdmittedRequest | RefusedRequest | undefined => {
  if (!sameLimits(use.limits, limits)) return undefined
  if (use.unspent > 0 && isCurrent(use, nowMs)) {
    use.unspent--
    return { _tag: "Admitted", headers: headersOfUse(use, limits) }
  }
  const { refusal } = use
  return refusal !== undefined && nowMs >= refusal.fromMs && nowMs < refusal.untilMs
    ? refusedAt(refusal.refused, nowMs)
    : undefined
}

/** The rest of the lease. */
export const unspentOf = (use: LocalUse): Lease => ({
  minuteStartMs: use.minute * MINUTE_MS,
  dayStartMs: use.day * DAY_MS,
  count: use.unspent
})

/** Takes the rest of the lease out of the state, to return it. */
export const takeUnspent = (use: LocalUse): Lease => {
  const unspent = unspentOf(use)
  use.unspent = 0
  return unspent
}

/**
 * The size of the next block: twice the last one for a caller that keeps sending within the minute,
 * else half.
 */
export const nextBlock = (use: LocalUse, limits: Limits, nowMs: number): number =>
  isCurrent(use, nowMs) && use.block > 0
    ? Math.min(2 * use.block, largestBlock(limits))
    : Math.max(1, use.block >> 1)

/**
 * What remained in the tighter window after the last block of this minute, including the unspent
 * rest of the block.
 */
export const leftBehind = (use: LocalUse, nowMs: number): number | undefined =>
  isCurrent(use, nowMs) && use.block > 0 ? use.beyond + use.unspent : undefined

/** Stores a lease, and spends its first request on the current one. */
export const startLease = (use: LocalUse, limits: Limits, granted: LeaseGrant): AdmittedRequest => {
  const { lease, headers } = granted
  use.limits = limits
  use.minute = numberOf(lease.minuteStartMs, MINUTE_MS)
  use.day = numberOf(lease.dayStartMs, DAY_MS)
  use.block = lease.count
  use.unspent = lease.count - 1
  use.beyond = headers.remaining
  use.byDay = headers.window === "day"
  use.following = numberOf(headers.resetSeconds * 1_000, use.byDay ? DAY_MS : MINUTE_MS)
  use.refusal = undefined
  return { _tag: "Admitted", headers: { ...headers, remaining: headers.remaining + use.unspent } }
}

/** Stores a refusal, to repeat it from memory until `untilMs`. */
export const noteRefused = (
  use: LocalUse,
  limits: Limits,
  refused: RefusedRequest,
  nowMs: number,
  untilMs: number
): RefusedRequest => {
  use.limits = limits
  use.minute = numberOf(nowMs, MINUTE_MS)
  use.day = numberOf(nowMs, DAY_MS)
  use.block = 0
  use.refusal = untilMs > nowMs ? { refused, fromMs: nowMs, untilMs } : undefined
  return refused
}
