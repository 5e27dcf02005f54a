/**
 * What a stored usage record means now: windows that are over start afresh, and a clock that was
 * set back harms nobody.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { EMPTY_LEDGER } from "./Ledger.js"
import { DAY_MS, MINUTE_MS } from "../../value/Time.js"
import { dayAt, MAX_SKEW_MS, minuteAt, type WindowCount } from "./Window.js"

/** The record of a caller that never came. */
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
 * The clock was set back behind the start of the ban: the ban starts now and keeps its length, on a
 * whole second.
 */
const restartedBan = (usage: UsageRecord, nowMs: number): UsageRecord => ({
  ...usage,
  lastBanMs: nowMs,
  bannedUntilMs: Math.floor((nowMs + usage.bannedUntilMs - usage.lastBanMs) / 1_000) * 1_000
})

/**
 * What was told or noted at a time that is still to come was told by another clock, and is
 * forgotten.
 */
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

/** The record with other counts; a ledger that was absent and is empty stays absent. */
export const withCounts = (record: UsageRecord, minute: WindowCount, day: WindowCount): UsageRecord => {
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

/**
 * The record as of `nowMs`; the very same object where nothing changes, so that nothing has to be
 * stored.
 */
export const currentUsage = (usage: UsageRecord | undefined, nowMs: number): UsageRecord => {
  const known = usage ?? NO_USAGE
  const latestMs = nowMs + MAX_SKEW_MS
  const foreign = known.refusedAtMs > latestMs || known.strikesMs.some((strikeMs) => strikeMs > latestMs)
  const noted = foreign ? forgetting(known, latestMs) : known
  const served = noted.lastBanMs > latestMs ? restartedBan(noted, nowMs) : noted
  const storedMinute = minuteOf(served)
  const storedDay = dayOf(served)
  const minute = minuteAt(storedMinute, nowMs)
  const day = dayAt(storedDay, nowMs, minute.startMs > storedMinute.startMs)
  return minute === storedMinute && day === storedDay ? served : withCounts(served, minute, day)
}
