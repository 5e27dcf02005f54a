/** The three rate-limit headers (SPEC.md §8), which always describe one and the same window. */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { currentUsage, dayOf, minuteOf } from "./CurrentUsage.js"
import type { Limits } from "../account/Plan.js"
import { remainingByLast } from "./remainingByLast.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"
import { usedUnder, type WindowName, windowStartMs } from "./Window.js"

/**
 * 0 ≤ remaining ≤ limit. `resetSeconds` is Unix time in seconds, rounded up, and later than now.
 */
export type RateHeaders = {
  readonly window: WindowName
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/**
 * The standing of a caller in one window. After a change to a lower plan, `used` may exceed
 * `limit`; `remaining` is then 0.
 */
export type WindowStanding = {
  readonly window: WindowName
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resetMs: number
}

const standing = (
  window: WindowName,
  limit: number,
  used: number,
  resetMs: number
): WindowStanding => ({
  window,
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resetMs
})

/**
 * Both windows of a record that {@link currentUsage} updated to `nowMs`, by the labels of that
 * clock.
 */
export const windowStandings = (
  limits: Limits,
  current: UsageRecord,
  nowMs: number
): readonly [WindowStanding, WindowStanding] => {
  const [minute, day] = [minuteOf(current), dayOf(current)]
  const minuteMs = windowStartMs(nowMs, MINUTE_MS)
  const dayMs = windowStartMs(nowMs, DAY_MS)
  const used = usedUnder(minute, minuteMs)
  const byLabel = standing("minute", limits.perMinute, used, minuteMs + MINUTE_MS)
  const remaining = remainingByLast(limits, minute, day, nowMs)
  return [
    byLabel.remaining <= remaining
      ? byLabel
      : standing(
          "minute",
          limits.perMinute,
          limits.perMinute - remaining,
          minute.startMs + MINUTE_MS
        ),
    standing("day", limits.perDay, usedUnder(day, dayMs), dayMs + DAY_MS)
  ]
}

/** The window with fewer remaining requests; the day if they are equal, since it lasts longer. */
export const tighter = (minute: WindowStanding, day: WindowStanding): WindowStanding =>
  day.remaining <= minute.remaining ? day : minute

/** The headers of a window. Windows end on full seconds, so rounding changes nothing. */
export const headersOf = ({ window, limit, remaining, resetMs }: WindowStanding): RateHeaders => ({
  window,
  limit,
  remaining,
  resetSeconds: Math.ceil(resetMs / 1_000)
})

/**
 * The standing of an unknown caller, when the look-up failed: numbers that reveal nobody's. The
 * caller may retry in the next second.
 */
export const unknownStanding = (
  nowMs: number
): { readonly limits: Limits; readonly rate: RateHeaders } => ({
  limits: { perMinute: 0, perDay: 0 },
  rate: { window: "minute", limit: 0, remaining: 0, resetSeconds: Math.floor(nowMs / 1_000) + 1 }
})

/** The headers of a response that is not counted. */
export const rateHeaders = (
  limits: Limits,
  usage: UsageRecord | undefined,
  nowMs: number
): RateHeaders => headersOf(tighter(...windowStandings(limits, currentUsage(usage, nowMs), nowMs)))
