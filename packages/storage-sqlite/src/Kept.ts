/** What a caller's record became in memory while it could not be stored, and how that is added to what others have stored since. */
import type { UsageRecord } from "@petstore/core"

/** `record` came of `base`, the row as it was when `record` was decided. */
export type Kept = { readonly base: UsageRecord | undefined; readonly record: UsageRecord | undefined }

type Count = { readonly startMs: number; readonly used: number }

const NONE: Count = { startMs: 0, used: 0 }

const minuteOf = (record: UsageRecord | undefined): Count =>
  record === undefined ? NONE : { startMs: record.minuteStartMs, used: record.minuteUsed }

const dayOf = (record: UsageRecord | undefined): Count =>
  record === undefined ? NONE : { startMs: record.dayStartMs, used: record.dayUsed }

/** What was counted in memory comes on top of what was counted by others; of different windows the later one counts. */
const added = (row: Count, base: Count, kept: Count): Count => {
  if (row.startMs !== kept.startMs) return row.startMs > kept.startMs ? row : kept
  const before = base.startMs === kept.startMs ? base.used : 0
  return { startMs: row.startMs, used: Math.max(0, row.used + kept.used - before) }
}

const STANDING = [
  "retryAtMs",
  "refusedAtMs",
  "bannedUntilMs",
  "bans",
  "lastBanMs"
] as const satisfies ReadonlyArray<keyof UsageRecord>

const sameStanding = (a: UsageRecord, b: UsageRecord | undefined): boolean =>
  b !== undefined &&
  STANDING.every((member) => a[member] === b[member]) &&
  a.strikesMs.join() === b.strikesMs.join()

/** The record that was kept, as of the row that is there now. Refusals and bans are the memory's where they changed there. */
export const rebased = (row: UsageRecord | undefined, { base, record }: Kept): UsageRecord | undefined => {
  if (row === undefined || record === undefined) return record
  const minute = added(minuteOf(row), minuteOf(base), minuteOf(record))
  const day = added(dayOf(row), dayOf(base), dayOf(record))
  return {
    ...(sameStanding(record, base) ? row : record),
    minuteStartMs: minute.startMs,
    minuteUsed: minute.used,
    dayStartMs: day.startMs,
    dayUsed: day.used
  }
}
