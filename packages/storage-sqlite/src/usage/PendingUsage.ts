/**
 * A usage record that could not be stored yet, and how it is merged with the row that other
 * processes have stored meanwhile.
 */
import { mergeUsage } from "@petstore/core/adapter"
import type { UsageRecord } from "@petstore/core/storage"

/** `base` is the row that `record` was computed from. */
export type PendingUsage = {
  readonly base: UsageRecord | undefined
  readonly record: UsageRecord | undefined
}

const PENALTY_FIELDS = [
  "retryAtMs",
  "refusedAtMs",
  "bannedUntilMs",
  "bans",
  "lastBanMs"
] as const satisfies ReadonlyArray<keyof UsageRecord>

const hasSamePenalties = (a: UsageRecord, b: UsageRecord | undefined): boolean =>
  b !== undefined &&
  PENALTY_FIELDS.every((member) => a[member] === b[member]) &&
  a.strikesMs.join() === b.strikesMs.join()

/**
 * The pending record, merged with the current row. If the pending record has new refusals or bans,
 * they win.
 */
export const rebase = (
  row: UsageRecord | undefined,
  { base, record }: PendingUsage
): UsageRecord | undefined => {
  if (row === undefined || record === undefined) return record
  const merged = mergeUsage(row, base, record)
  if (hasSamePenalties(record, base)) return merged
  const { retryAtMs, refusedAtMs, bannedUntilMs, bans, lastBanMs, strikesMs } = record
  return { ...merged, retryAtMs, refusedAtMs, bannedUntilMs, bans, lastBanMs, strikesMs }
}
