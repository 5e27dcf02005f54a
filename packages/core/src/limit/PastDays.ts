/**
 * What the addresses of past days have used, of all of them together: the most that any had in a minute
 * and in a day. For a clock that is set back to a day whose addresses are forgotten already: each is then
 * taken for the busiest, so that no label admits more than its limit.
 */
import type { UsageRecord } from "../port/Usage.js"
import { dayOf, minuteOf, NO_USAGE, withCounts } from "./CurrentUsage.js"
import { EMPTY_LEDGER, joinedLedger, rangeLedger, usedIn, withUsed } from "./Ledger.js"
import { DAY_MS, MINUTE_MS, usedUnder, type WindowCount, windowStartMs } from "./Window.js"

export type PastDays = {
  /** Notes what an address has used, before it may be forgotten. */
  readonly note: (minute: WindowCount, day: WindowCount) => void
  /** Everything noted so far is of the past now. */
  readonly add: () => void
  /** The record of an address with what it may have used under the labels of `nowMs`, when those were the present. */
  readonly recalled: (record: UsageRecord | undefined, nowMs: number) => UsageRecord | undefined
}

const MINUTES_A_DAY = DAY_MS / MINUTE_MS

const NOTHING = { firstDay: Infinity, lastDay: -Infinity, minuteUsed: 0, dayUsed: 0 }

export const makePastDays = (): PastDays => {
  let noted = NOTHING
  let minutes = EMPTY_LEDGER
  let days = EMPTY_LEDGER
  return {
    note: (minute, day) => {
      const { startMs } = day
      noted = {
        firstDay: Math.min(noted.firstDay, startMs / DAY_MS),
        lastDay: Math.max(noted.lastDay, startMs / DAY_MS),
        minuteUsed: Math.max(noted.minuteUsed, usedUnder(minute, minute.startMs, MINUTE_MS)),
        dayUsed: Math.max(noted.dayUsed, usedUnder(day, startMs, DAY_MS))
      }
    },
    add: () => {
      const { firstDay, lastDay, minuteUsed, dayUsed } = noted
      noted = NOTHING
      if (dayUsed === 0) return
      const [first, last] = [firstDay * MINUTES_A_DAY, (lastDay + 1) * MINUTES_A_DAY - 1]
      minutes = joinedLedger(minutes, rangeLedger(first, last, minuteUsed))
      days = joinedLedger(days, rangeLedger(firstDay, lastDay, dayUsed))
    },
    recalled: (record, nowMs) => {
      const known = record ?? NO_USAGE
      const minute = raised(minuteOf(known), minutes, nowMs, MINUTE_MS)
      const day = raised(dayOf(known), days, nowMs, DAY_MS)
      return minute === undefined && day === undefined
        ? record
        : withCounts(known, minute ?? minuteOf(known), day ?? dayOf(known))
    }
  }
}

/** The count with as many under the label of `nowMs` as the past has there; undefined where it has as many. */
const raised = (
  count: WindowCount,
  past: string,
  nowMs: number,
  lengthMs: number
): WindowCount | undefined => {
  const startMs = windowStartMs(nowMs, lengthMs)
  const used = usedIn(past, startMs / lengthMs)
  return used > usedUnder(count, startMs, lengthMs)
    ? { ...count, ledger: withUsed(count.ledger, startMs / lengthMs, used) }
    : undefined
}
