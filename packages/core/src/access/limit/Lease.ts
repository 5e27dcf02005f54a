/**
 * Blocks of requests that a process takes from a caller's limits at once and then serves from
 * memory. What is leased is counted as used, so the processes that share a storage never admit more
 * than the limits between them; a process that dies takes the unspent rest of its block with it,
 * until the window ends.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { type BanPolicy, DEFAULT_BAN_POLICY, isBanned, refusedOnce } from "./Ban.js"
import { currentUsage, dayOf, minuteOf, NO_USAGE, withCounts } from "./CurrentUsage.js"
import { type Refused, refusedAt } from "./Decision.js"
import type { Limits } from "../account/Plan.js"
import { headersOf, type RateHeaders, tighter, windowStandings } from "./RateHeaders.js"
import { charged, returned, windowStartMs } from "./Window.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"

/** `count` requests of one minute and one day, by the clock of the process that leased them. */
export type Lease = { readonly minuteStartMs: number; readonly dayStartMs: number; readonly count: number }

/** `headers` are as of after the last request of the lease. */
export type Granted = { readonly _tag: "Granted"; readonly lease: Lease; readonly headers: RateHeaders }

const MAX_BLOCK = 1_024

/**
 * A block never holds more than this, so that it costs no more of the limits when a process dies:
 * 1,024, or what a minute allows for each second where that is more, as each block is a commit that
 * is synced, which a caller of many thousands a second would wait for too often.
 */
export const largestBlock = ({ perMinute }: Limits): number => Math.max(MAX_BLOCK, Math.floor(perMinute / 60))

/**
 * Of what remains, a block takes at most this part, so that other processes find something left:
 * half while nobody else has taken any since this process last did, an eighth where somebody has,
 * or nobody can tell.
 */
const PART = { alone: 1 / 2, among: 1 / 8 } as const

/**
 * The most to lease while so many remain in the tighter window: at least one, and 0 when none do.
 */
export const blockSize = (limits: Limits, remaining: number, whose: keyof typeof PART): number =>
  Math.min(remaining, largestBlock(limits), Math.max(1, Math.floor(remaining * PART[whose])))

/**
 * Admitted before the time it was told, after an upgrade or when others gave back, a caller is told
 * anew, with grace again.
 */
const NEVER_REFUSED = { retryAtMs: 0, refusedAtMs: 0 }

/**
 * During a ban the headers describe the day if it is used up, else the minute, of which nothing
 * remains for who is banned. The ban itself is no window; its end is in the wait alone.
 */
const ban = (limits: Limits, current: UsageRecord, nowMs: number): Refused => {
  const [minute, day] = windowStandings(limits, current, nowMs)
  const headers = { ...headersOf(day.remaining === 0 ? day : minute), remaining: 0 }
  return refusedAt({ _tag: "KeyBanned", untilMs: current.bannedUntilMs, headers }, nowMs)
}

/**
 * Takes 1 to `want` requests from both windows at once, or refuses: `KeyBanned` during a ban, which
 * changes nothing; `RateLimited` when either window is used up, by the one that ends later;
 * `KeyBanned` when this very refusal starts a ban. A refusal uses nothing. Limits hold as given
 * now: a changed plan applies to the next request, and what is used stays. `left` is how many of
 * the tighter window this process left over when it last took a block, if it knows.
 */
export const lease = (
  limits: Limits,
  usage: UsageRecord | undefined,
  nowMs: number,
  want: number,
  policy: BanPolicy = DEFAULT_BAN_POLICY,
  left?: number
): readonly [Granted | Refused, UsageRecord] => {
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
          refusedAt({ _tag: "RateLimited", untilMs: refusing.resetMs, headers: headersOf(refusing) }, nowMs),
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

/** Returns what a lease has left to the windows in which it was counted. */
export const giveBack = (usage: UsageRecord | undefined, unspent: Lease): UsageRecord => {
  const known = usage ?? NO_USAGE
  const { minuteStartMs, dayStartMs, count } = unspent
  return count === 0
    ? known
    : withCounts(
        known,
        returned(minuteOf(known), minuteStartMs, count),
        returned(dayOf(known), dayStartMs, count)
      )
}
