/**
 * Brings a stored usage record up to date: windows that are over start at 0, and a clock that was
 * set back does not harm callers.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { EMPTY_LEDGER } from "./Ledger.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"
import { dayAt, MAX_SKEW_MS, minuteAt, type WindowCount } from "./Window.js"

/** The record of a caller without requests. */
export const NO_USAGE: UsageRecord = {
  minuteStartMs: 0,
  minuteUsed: 0,
  dayStartMs: 0,
  dayUsed: 0,
  retryAtMs: 0,
  refusedAtMs: 0,
  strikesMs: [],
  bannedUntilMs: 0,
  bans: 0,
  lastBanMs: 0
}

/**
 * If the clock was set back to before the start of the ban, the ban starts now, on a full second,
 * with the same length.
 */
const restartedBan = (usage: UsageRecord, nowMs: number): UsageRecord => ({
  ...usage,
  lastBanMs: nowMs,
  bannedUntilMs: Math.floor((nowMs + usage.bannedUntilMs - usage.lastBanMs) / 1_000) * 1_000
})

/** Drops refusals and strikes with a time in the future: another clock recorded them. */
const forgetting = (usage: UsageRecord, latestMs: number): UsageRecord => ({
  ...usage,
  retryAtMs: usage.refusedAtMs > latestMs ? 0 : usage.retryAtMs,
  refusedAtMs: usage.refusedAtMs > latestMs ? 0 : usage.refusedAtMs,
  strikesMs: usage.strikesMs.filter((strikeMs) => strikeMs <= latestMs)
})

export const minuteOf = (record: UsageRecord): WindowCount => ({
  startMs: record.minuteStartMs,
  used: record.minuteUsed,
  ledger: record.otherMinutes ?? EMPTY_LEDGER,
  lengthMs: MINUTE_MS
})

export const dayOf = (record: UsageRecord): WindowCount => ({
  startMs: record.dayStartMs,
  used: record.dayUsed,
  ledger: record.otherDays ?? EMPTY_LEDGER,
  lengthMs: DAY_MS
})

/** The record with other counts. A ledger that was absent stays absent while it is empty. */
export const withCounts = (
  record: UsageRecord,
  minute: WindowCount,
  day: WindowCount
): UsageRecord => {
  const { otherMinutes = EMPTY_LEDGER, otherDays = EMPTY_LEDGER } = record
  const counts = {
    ...record,
    minuteStartMs: minute.startMs,
    minuteUsed: minute.used,
    dayStartMs: day.startMs,
    dayUsed: day.used
  }
  return minute.ledger === otherMinutes && day.ledger === otherDays
    ? counts
    : {
        ...counts,
        ...(minute.ledger === otherMinutes ? {} : { otherMinutes: minute.ledger }),
        ...(day.ledger === otherDays ? {} : { otherDays: day.ledger })
      }
}

/** The record as of `nowMs`; the same object if nothing changes, so that it need not be stored. */
export const currentUsage = (usage: UsageRecord | undefined, nowMs: number): UsageRecord => {
  const current = usage ?? NO_USAGE
  const latestMs = nowMs + MAX_SKEW_MS
  const foreign =
    current.refusedAtMs > latestMs || current.strikesMs.some((strikeMs) => strikeMs > latestMs)
  const noted = foreign ? forgetting(current, latestMs) : current
  const served = noted.lastBanMs > latestMs ? restartedBan(noted, nowMs) : noted
  const storedMinute = minuteOf(served)
  const storedDay = dayOf(served)
  const minute = minuteAt(storedMinute, nowMs)
  const day = dayAt(storedDay, nowMs, minute.startMs > storedMinute.startMs)
  return minute === storedMinute && day === storedDay ? served : withCounts(served, minute, day)
}
