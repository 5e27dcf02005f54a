/**
 * The two fixed windows in which requests are counted, the UTC minute and the UTC day (no calendar,
 * no time zone), and what a count means after the clock was set.
 *
 * The label of a window is the time at which it starts. Requests admitted under a label stay
 * counted under it, whatever clocks do, so no label ever admits more than the limit.
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
 * The last window that was counted in, its used requests, and the ledger of the other windows.
 *
 * `used` is normally the count under the window's label. If the two differ, the ledger has an entry
 * for this window too, with the count under the label: `used` then includes requests that moved
 * with a clock that was set back, or requests of processes whose clocks are slightly behind.
 */
export type WindowCount = {
  readonly startMs: number
  readonly used: number
  readonly ledger: string
  readonly lengthMs: number
}

/** The requests counted under the label at `startMs`. */
export const usedUnder = (count: WindowCount, startMs: number): number => {
  const counted =
    count.ledger === EMPTY_LEDGER ? undefined : usedIn(count.ledger, startMs / count.lengthMs)
  return counted ?? (startMs === count.startMs ? count.used : 0)
}

/** Whether others, whose clocks are a little ahead, count in the next window already. */
export const isAhead = ({ startMs }: WindowCount, nowMs: number): boolean =>
  startMs > nowMs && startMs - nowMs <= MAX_SKEW_MS

/** Whether `used` is the count under the label of the last window. */
export const isOwn = ({ ledger, startMs, lengthMs }: WindowCount): boolean =>
  ledger === EMPTY_LEDGER || usedIn(ledger, startMs / lengthMs) === undefined

/** Adds the last window to the ledger, so that `used` may differ from the count under its label. */
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
 * The count of a minute at `nowMs`.
 * - If the minute is over, the next one starts at 0, or at what the ledger has under its label.
 * - If the minute starts within {@link MAX_SKEW_MS} from now, it is the current one. Otherwise
 *   processes would take turns in starting it anew at the edge of a minute.
 * - If it starts later, the clock was set back. `used` moves unchanged to the minute of `nowMs`, so
 *   that setting the clock back grants no extra request.
 */
export const minuteAt = (count: WindowCount, nowMs: number): WindowCount => {
  const startMs = windowStartMs(nowMs, MINUTE_MS)
  if (count.startMs === startMs || isAhead(count, nowMs)) return count
  return moved(count, startMs, count.startMs < startMs ? 0 : count.used)
}

/**
 * The same for a day. Requests that moved with a clock that was set back are dropped in the next
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
 * Returns requests charged under the label at `startMs`. Others may count in the next window by
 * now.
 */
export const returned = (count: WindowCount, startMs: number, less: number): WindowCount => {
  const next = counted(count, startMs, -less)
  const least = usedUnder(next, next.startMs)
  const isOfLast = next.startMs === startMs || next.startMs === startMs + count.lengthMs
  return isOwn(next) || !isOfLast || next.used <= least
    ? next
    : { ...next, used: Math.max(least, next.used - less) }
}
