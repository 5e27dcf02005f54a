/**
 * The maximum that any address used in a minute and in a day, for past days. For a clock that is
 * set back to a day whose addresses are no longer in memory: each address then counts as the
 * busiest one, so that no label admits more than its limit.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { dayOf, minuteOf, NO_USAGE, withCounts } from "./CurrentUsage.js"
import { EMPTY_LEDGER, usedIn, withRange, withUsed } from "./Ledger.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"
import { usedUnder, type WindowCount, windowStartMs } from "./Window.js"

export type PastDays = {
  /** Records what an address has used by `nowMs`, before it may be dropped. */
  readonly record: (record: UsageRecord, nowMs: number) => void
  /** Marks everything recorded so far as past. */
  readonly closeDays: () => void
  /**
   * The record of an address. Its counts under the labels of `nowMs` are at least the past maximum.
   */
  readonly withPastMaximum: (
    record: UsageRecord | undefined,
    nowMs: number
  ) => UsageRecord | undefined
}

const MINUTES_A_DAY = DAY_MS / MINUTE_MS

const noMaximum = () => ({ firstDay: Infinity, lastDay: -Infinity, minuteUsed: 0, dayUsed: 0 })

export const makePastDays = (): PastDays => {
  let recent = noMaximum()
  let minutes = EMPTY_LEDGER
  let days = EMPTY_LEDGER
  return {
    record: (record, nowMs) => {
      const day = Math.floor(nowMs / DAY_MS)
      const minuteUsed = usedUnder(minuteOf(record), windowStartMs(nowMs, MINUTE_MS))
      const dayUsed = usedUnder(dayOf(record), day * DAY_MS)
      recent.firstDay = Math.min(recent.firstDay, day)
      recent.lastDay = Math.max(recent.lastDay, day)
      recent.minuteUsed = Math.max(recent.minuteUsed, minuteUsed)
      recent.dayUsed = Math.max(recent.dayUsed, dayUsed)
    },
    closeDays: () => {
      const { firstDay, lastDay, minuteUsed, dayUsed } = recent
      recent = noMaximum()
      if (dayUsed === 0) return
      const [first, last] = [firstDay * MINUTES_A_DAY, (lastDay + 1) * MINUTES_A_DAY - 1]
      minutes = withRange(minutes, first, last, minuteUsed)
      days = withRange(days, firstDay, lastDay, dayUsed)
    },
    withPastMaximum: (record, nowMs) => {
      const current = record ?? NO_USAGE
      const [minute, day] = [minuteOf(current), dayOf(current)]
      const newMinute = withAtLeast(minute, minutes, nowMs)
      const newDay = withAtLeast(day, days, nowMs)
      return newMinute === minute && newDay === day
        ? record
        : withCounts(current, newMinute, newDay)
    }
  }
}

/** The count with at least the past maximum under the label of `nowMs`. */
const withAtLeast = (count: WindowCount, past: string, nowMs: number): WindowCount => {
  const startMs = windowStartMs(nowMs, count.lengthMs)
  const used = usedIn(past, startMs / count.lengthMs) ?? 0
  return used > usedUnder(count, startMs)
    ? { ...count, ledger: withUsed(count.ledger, startMs / count.lengthMs, used) }
    : count
}
