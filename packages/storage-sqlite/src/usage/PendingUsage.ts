/** What a caller's record became in memory while it could not be stored, and how that is added to what others have stored since. */
import { countedApart, type UsageRecord } from "@petstore/core"

/** `record` came of `base`, the row as it was when `record` was decided. */
export type PendingUsage = {
  readonly base: UsageRecord | undefined
  readonly record: UsageRecord | undefined
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
export const rebased = (
  row: UsageRecord | undefined,
  { base, record }: PendingUsage
): UsageRecord | undefined => {
  if (row === undefined || record === undefined) return record
  const counted = countedApart(row, base, record)
  if (sameStanding(record, base)) return counted
  const { retryAtMs, refusedAtMs, bannedUntilMs, bans, lastBanMs, strikesMs } = record
  return { ...counted, retryAtMs, refusedAtMs, bannedUntilMs, bans, lastBanMs, strikesMs }
}
