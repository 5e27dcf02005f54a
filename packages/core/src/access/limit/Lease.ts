/**
 * Leases: blocks of requests that a process takes from a caller's limits at once and then admits
 * from memory. Leased requests count as used, so processes that share a storage never admit more
 * than the limits together. If a process dies, the rest of its lease is lost until the window ends.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { type BanPolicy, DEFAULT_BAN_POLICY, isBanned, refusedOnce } from "./Ban.js"
import { currentUsage, dayOf, minuteOf, NO_USAGE, withCounts } from "./CurrentUsage.js"
import { type RefusedRequest, refusedAt } from "./Decision.js"
import type { Limits } from "../account/Plan.js"
import { headersOf, type RateHeaders, tighter, windowStandings } from "./RateHeaders.js"
import { charged, returned, windowStartMs } from "./Window.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"

/** `count` requests of one minute and one day, by the clock of the process that leased them. */
export type Lease = {
  readonly minuteStartMs: number
  readonly dayStartMs: number
  readonly count: number
}

/** `headers` describe the state after the last request of the lease. */
export type LeaseGrant = {
  readonly _tag: "Granted"
  readonly lease: Lease
  readonly headers: RateHeaders
}

const MAX_BLOCK = 1_024

/**
 * The maximum size of a block, which bounds the loss when a process dies: 1,024, or a second's
 * share of the minute limit if that is more. Each block is a synced commit, so a caller with
 * thousands of requests per second needs larger ones.
 */
export const largestBlock = ({ perMinute }: Limits): number =>
  Math.max(MAX_BLOCK, Math.floor(perMinute / 60))

/**
 * The maximum share of the remaining requests in one block, so that other processes find some left:
 * a half if no other process has taken any since the last block of this one, an eighth if one has
 * or it is unknown.
 */
const PART = { alone: 1 / 2, among: 1 / 8 } as const

/**
 * The maximum block while this many requests remain in the tighter window: at least 1, or 0 if none
 * remain.
 */
export const blockSize = (limits: Limits, remaining: number, whose: keyof typeof PART): number =>
  Math.min(remaining, largestBlock(limits), Math.max(1, Math.floor(remaining * PART[whose])))

/**
 * A caller that is admitted before its wait was over, after an upgrade or when other processes
 * returned leases, starts again with a grace period.
 */
const NEVER_REFUSED = { retryAtMs: 0, refusedAtMs: 0 }

/**
 * During a ban the headers describe the day if it is used up, else the minute with nothing
 * remaining. The ban is not a window: only `Retry-After` tells its end.
 */
const ban = (limits: Limits, current: UsageRecord, nowMs: number): RefusedRequest => {
  const [minute, day] = windowStandings(limits, current, nowMs)
  const headers = { ...headersOf(day.remaining === 0 ? day : minute), remaining: 0 }
  return refusedAt({ _tag: "KeyBanned", untilMs: current.bannedUntilMs, headers }, nowMs)
}

/**
 * Takes 1 to `want` requests from both windows, or refuses: `KeyBanned` during a ban, without a
 * change; `RateLimited` if a window is used up, by the one that ends later; `KeyBanned` if this
 * refusal starts a ban. A refusal uses no requests. The given limits apply: a changed plan applies
 * to the next request, and used requests stay used. `left` is what remained in the tighter window
 * after the last block of this process, if known.
 */
export const lease = (
  limits: Limits,
  usage: UsageRecord | undefined,
  nowMs: number,
  want: number,
  policy: BanPolicy = DEFAULT_BAN_POLICY,
  left?: number
): readonly [LeaseGrant | RefusedRequest, UsageRecord] => {
  const current = currentUsage(usage, nowMs)
  if (isBanned(current, nowMs)) return [ban(limits, current, nowMs), current]

  const [minute, day] = windowStandings(limits, current, nowMs)
  const { remaining } = tighter(minute, day)
  const count = Math.min(want, blockSize(limits, remaining, remaining === left ? "alone" : "among"))
  if (count < 1) {
    const refusing =
      day.remaining === 0 && (minute.remaining > 0 || day.resetMs >= minute.resetMs) ? day : minute
    const next = refusedOnce(current, refusing.resetMs, nowMs, policy)
    return isBanned(next, nowMs)
      ? [ban(limits, next, nowMs), next]
      : [
          refusedAt(
            { _tag: "RateLimited", untilMs: refusing.resetMs, headers: headersOf(refusing) },
            nowMs
          ),
          next
        ]
  }

  const next = withCounts(
    nowMs < current.retryAtMs ? { ...current, ...NEVER_REFUSED } : current,
    charged(minuteOf(current), nowMs, count),
    charged(dayOf(current), nowMs, count)
  )
  const headers = headersOf(tighter(...windowStandings(limits, next, nowMs)))
  const minuteStartMs = windowStartMs(nowMs, MINUTE_MS)
  const dayStartMs = windowStartMs(nowMs, DAY_MS)
  return [{ _tag: "Granted", lease: { minuteStartMs, dayStartMs, count }, headers }, next]
}

/** Returns the unspent rest of a lease to the windows in which it was counted. */
export const giveBack = (usage: UsageRecord | undefined, unspent: Lease): UsageRecord => {
  const current = usage ?? NO_USAGE
  const { minuteStartMs, dayStartMs, count } = unspent
  return count === 0
    ? current
    : withCounts(
        current,
        returned(minuteOf(current), minuteStartMs, count),
        returned(dayOf(current), dayStartMs, count)
      )
}
