/** The two fixed windows in which requests are counted: the UTC minute and the UTC day (no calendar, no time zone). */

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

export type WindowName = "minute" | "day"

/**
 * How far a count may lie ahead of a clock and still be that clock's: two processes that share a storage, or a request
 * that waited for its turn, are this far apart at most. A count further ahead means that the clock was set back.
 */
export const MAX_SKEW_MS = 5_000

/** The start of the window that holds `nowMs`; it ends `lengthMs` later, and that instant is the next window's. */
export const windowStartMs = (nowMs: number, lengthMs: number): number =>
  Math.floor(nowMs / lengthMs) * lengthMs

/** How many requests of one window are used. */
export type WindowCount = { readonly startMs: number; readonly used: number }

/**
 * A stored count as it stands at `nowMs`.
 *
 * - The window is over: the next one starts at nothing.
 * - It starts within {@link MAX_SKEW_MS} from now: it is the current one, or processes at a window's edge would take
 *   turns in starting it afresh.
 * - It starts later than that: the clock was set back. The count moves, as it is, to the window that holds `nowMs`. So a
 *   step gives nobody a request more than the steady clock would have, and a caller that had used up its limit
 *   waits for the end of the window it finds itself in: never longer than one window.
 */
export const countAt = (count: WindowCount, nowMs: number, lengthMs: number): WindowCount => {
  const startMs = windowStartMs(nowMs, lengthMs)
  if (count.startMs === startMs || (count.startMs > nowMs && count.startMs - nowMs <= MAX_SKEW_MS))
    return count
  return { startMs, used: count.startMs < startMs ? 0 : count.used }
}
