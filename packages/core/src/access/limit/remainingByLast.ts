/** What remains in a minute while the clocks that counted in it don't agree on the time. */
import type { Limits } from "../account/Plan.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"
import { isAhead, usedUnder, type WindowCount, windowStartMs } from "./Window.js"

/** Whether the labels of a time have a request left. */
const hasRoomAt = (limits: Limits, minute: WindowCount, day: WindowCount, atMs: number): boolean =>
  usedUnder(minute, windowStartMs(atMs, MINUTE_MS)) < limits.perMinute &&
  usedUnder(day, windowStartMs(atMs, DAY_MS)) < limits.perDay

/**
 * Limits a caller after the clock was set back, or while other processes already count in the next
 * minute. Until the end of the minute that was counted in last, it may use what remains there, in
 * both windows, so that steps and differences of clocks grant nothing extra. After that only the
 * labels count. If those would refuse then, they apply at once, or a caller would wait longer than
 * a window. Infinity if all clocks agree.
 */
export const remainingByLast = (
  limits: Limits,
  minute: WindowCount,
  day: WindowCount,
  nowMs: number
): number => {
  const minuteUsed = usedUnder(minute, minute.startMs)
  const dayUsed = usedUnder(day, day.startMs)
  const agreed = minute.used <= minuteUsed && day.used <= dayUsed && !isAhead(minute, nowMs)
  if (agreed || !hasRoomAt(limits, minute, day, minute.startMs + MINUTE_MS)) return Infinity
  const remaining = Math.min(
    limits.perMinute - Math.max(minute.used, minuteUsed),
    limits.perDay - Math.max(day.used, dayUsed)
  )
  return Math.max(0, remaining)
}
