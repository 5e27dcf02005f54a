/**
 * A usage record that could not be stored yet, and how it is merged with what others stored
 * meanwhile.
 */
import { countedApart } from "@petstore/core/adapter"
import type { UsageRecord } from "@petstore/core/storage"

/** `base` is the row that `record` was computed from. */
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

/**
 * The pending record, merged with the row that is there now. Its refusals and bans win if they
 * changed.
 */
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
