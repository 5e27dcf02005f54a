/**
 * The two fixed windows in which requests are counted, the UTC minute and the UTC day (no calendar,
 * no time zone), and what a count means to a clock that may have been set.
 *
 * A window's label is the time at which it starts. What was admitted under a label stays counted
 * under it, whatever clocks do, so no label ever admits more than the limit.
 */
import { EMPTY_LEDGER, usedIn, withUsed } from "./Ledger.js"
import { MINUTE_MS, DAY_MS } from "../../value/Time.js"

export type WindowName = "minute" | "day"

/**
 * How far a count may lie ahead of a clock and still be that clock's: two processes that share a
 * storage, or a request that waited for its turn, are this far apart at most. A count further ahead
 * means that the clock was set back.
 */
export const MAX_SKEW_MS = 5_000

/**
 * The start of the window that holds `nowMs`; it ends `lengthMs` later, and that instant is the
 * next window's.
 */
export const windowStartMs = (nowMs: number, lengthMs: number): number =>
  Math.floor(nowMs / lengthMs) * lengthMs

/**
 * The window that was counted in last, how many requests are used of it, and the ledger of the
 * others.
 *
 * `used` is what was counted under the window's label. The window stands in the ledger, too, while
 * the two differ: then `used` has come along with a clock that was set back, or has requests of
 * processes whose clocks are a little behind, and what was counted under the label is in the
 * ledger.
 */
export type WindowCount = {
  readonly startMs: number
  readonly used: number
  readonly ledger: string
  readonly lengthMs: number
}

/** What was counted under the label at `startMs`. */
export const usedUnder = (count: WindowCount, startMs: number): number => {
  const known =
    count.ledger === EMPTY_LEDGER ? undefined : usedIn(count.ledger, startMs / count.lengthMs)
  return known ?? (startMs === count.startMs ? count.used : 0)
}

/** Whether others, whose clocks are a little ahead, count in the next window already. */
export const isAhead = ({ startMs }: WindowCount, nowMs: number): boolean =>
  startMs > nowMs && startMs - nowMs <= MAX_SKEW_MS

/** Whether `used` is what was counted under the label of the last window. */
export const isOwn = ({ ledger, startMs, lengthMs }: WindowCount): boolean =>
  ledger === EMPTY_LEDGER || usedIn(ledger, startMs / lengthMs) === undefined

/** The last window stands in the ledger, so that `used` may change by itself. */
export const written = (count: WindowCount): WindowCount =>
  isOwn(count)
    ? { ...count, ledger: withUsed(count.ledger, count.startMs / count.lengthMs, count.used) }
    : count

/** The count with another last window, in which `used` are used. */
const moved = (count: WindowCount, startMs: number, used: number): WindowCount => {
  const left = count.used === 0 ? count : written(count)
  const next = { ...left, startMs, used: 0 }
  return used === 0 ? next : { ...written(next), used }
}

/**
 * A minute's count as it stands at `nowMs`.
 *
 * - The minute is over: the next one starts at nothing, but for what its label has in the ledger.
 * - It starts within {@link MAX_SKEW_MS} from now: it is the current one, or processes at a
 *   minute's edge would take turns in starting it afresh.
 * - It starts later than that: the clock was set back. `used` moves, as it is, to the minute that
 *   holds `nowMs`, so that the step gives nobody a request more than the steady clock would have.
 */
export const minuteAt = (count: WindowCount, nowMs: number): WindowCount => {
  const startMs = windowStartMs(nowMs, MINUTE_MS)
  if (count.startMs === startMs || isAhead(count, nowMs)) return count
  return moved(count, startMs, count.startMs < startMs ? 0 : count.used)
}

/**
 * The same for a day. What has moved with a clock that was set back is forgotten in the next
 * minute.
 */
export const dayAt = (count: WindowCount, nowMs: number, isNextMinute: boolean): WindowCount => {
  const startMs = windowStartMs(nowMs, DAY_MS)
  if (isAhead(count, nowMs)) return count
  if (count.startMs > startMs) return moved(count, startMs, count.used)
  if (count.startMs < startMs) return moved(count, startMs, 0)
  return !isNextMinute || isOwn(count) ? count : { ...count, used: usedUnder(count, startMs) }
}

/** With so many requests more, or fewer, under a label. None has fewer than 0. */
const counted = (count: WindowCount, startMs: number, more: number): WindowCount =>
  startMs === count.startMs && isOwn(count)
    ? { ...count, used: Math.max(0, count.used + more) }
    : {
        ...count,
        ledger: withUsed(
          count.ledger,
          startMs / count.lengthMs,
          Math.max(0, usedUnder(count, startMs) + more)
        )
      }

/** With so many requests more at `nowMs`, under the label of that clock. */
export const charged = (count: WindowCount, nowMs: number, more: number): WindowCount => {
  const startMs = windowStartMs(nowMs, count.lengthMs)
  const used = count.used + more
  if (startMs === count.startMs && isOwn(count)) return { ...count, used }
  return { ...counted(written(count), startMs, more), used }
}

/**
 * Takes back what was charged under the label at `startMs`; others may count in the next window
 * since.
 */
export const returned = (count: WindowCount, startMs: number, less: number): WindowCount => {
  const next = counted(count, startMs, -less)
  const least = usedUnder(next, next.startMs)
  const isOfLast = next.startMs === startMs || next.startMs === startMs + count.lengthMs
  return isOwn(next) || !isOfLast || next.used <= least
    ? next
    : { ...next, used: Math.max(least, next.used - less) }
}
