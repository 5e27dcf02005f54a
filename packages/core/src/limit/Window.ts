/**
 * The two fixed windows in which requests are counted, the UTC minute and the UTC day (no calendar, no
 * time zone), and what a count means to a clock that may have been set.
 *
 * A window's label is the time at which it starts. Two things are counted. The ledger counts by label:
 * what was admitted under a label stays counted under it, whatever clocks do, so no label ever admits
 * more than the limit. `used` goes with the clock: it tells what was used when the clock was set back, or
 * by processes whose clocks are a little ahead or behind.
 */
import { usedIn, withUsed } from "./Ledger.js"

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

export type WindowName = "minute" | "day"

/**
 * How far a count may lie ahead of a clock and still be that clock's: two processes that share a storage,
 * or a request that waited for its turn, are this far apart at most. A count further ahead means that the
 * clock was set back.
 */
export const MAX_SKEW_MS = 5_000

/** The start of the window that holds `nowMs`; it ends `lengthMs` later, and that instant is the next window's. */
export const windowStartMs = (nowMs: number, lengthMs: number): number =>
  Math.floor(nowMs / lengthMs) * lengthMs

/** The window that was counted in last, what `used` says of it, and what was counted by label. */
export type WindowCount = { readonly startMs: number; readonly used: number; readonly ledger: string }

/** What was counted under the label at `startMs`. */
export const usedUnder = ({ ledger }: WindowCount, startMs: number, lengthMs: number): number =>
  usedIn(ledger, startMs / lengthMs)

/** Whether others, whose clocks are a little ahead, count in the next window already. */
export const isAhead = ({ startMs }: WindowCount, nowMs: number): boolean =>
  startMs > nowMs && startMs - nowMs <= MAX_SKEW_MS

/**
 * A minute's count as it stands at `nowMs`.
 *
 * - The minute is over: the next one starts at nothing, but for what its label has in the ledger.
 * - It starts within {@link MAX_SKEW_MS} from now: it is the current one, or processes at a minute's edge
 *   would take turns in starting it afresh.
 * - It starts later than that: the clock was set back. `used` moves, as it is, to the minute that holds
 *   `nowMs`, so that the step gives nobody a request more than the steady clock would have.
 */
export const minuteAt = (count: WindowCount, nowMs: number): WindowCount => {
  const startMs = windowStartMs(nowMs, MINUTE_MS)
  if (count.startMs === startMs || isAhead(count, nowMs)) return count
  return { ...count, startMs, used: count.startMs < startMs ? 0 : count.used }
}

/** The same for a day. What has moved with a clock that was set back is forgotten in the next minute. */
export const dayAt = (count: WindowCount, nowMs: number, isNextMinute: boolean): WindowCount => {
  const startMs = windowStartMs(nowMs, DAY_MS)
  if (isAhead(count, nowMs)) return count
  if (count.startMs > startMs) return { ...count, startMs }
  if (count.startMs === startMs && !isNextMinute) return count
  const used = usedUnder(count, startMs, DAY_MS)
  return count.startMs === startMs && count.used === used ? count : { ...count, startMs, used }
}

/** With so many requests more at `nowMs`, under the label of that clock. */
export const charged = (count: WindowCount, nowMs: number, lengthMs: number, more: number): WindowCount => {
  const window = Math.floor(nowMs / lengthMs)
  const ledger = withUsed(count.ledger, window, usedIn(count.ledger, window) + more)
  return { ...count, used: count.used + more, ledger }
}

/** Takes back what was charged under the label at `startMs`; others may count in the next window since. */
export const returned = (
  count: WindowCount,
  startMs: number,
  lengthMs: number,
  less: number
): WindowCount => {
  const window = startMs / lengthMs
  const last = count.startMs / lengthMs
  const ledger = withUsed(count.ledger, window, Math.max(0, usedIn(count.ledger, window) - less))
  const least = usedIn(ledger, last)
  const isOfLast = last === window || last === window + 1
  return isOfLast && count.used > least
    ? { ...count, used: Math.max(least, count.used - less), ledger }
    : { ...count, ledger }
}
