/** A status for programs: always the same members, null for unknown values. */
import { formatInstant, StorageError } from "@petstore/core"
import type { StoreStatus } from "@petstore/storage-sqlite"
import { type Attention, messageOf } from "./Attention.js"

const instant = (timeMs: number | null | undefined): string | null =>
  typeof timeMs === "number" ? formatInstant(timeMs) : null

export const statusJson = (
  db: string,
  status: StoreStatus,
  attention: ReadonlyArray<Attention<string>>
) => {
  const { path, fileBytes, logBytes, diskBytes, diskFreeBytes, processes, currentSchema, driver } =
    status
  const contents = status.contents instanceof StorageError ? undefined : status.contents
  return {
    file: db,
    path,
    at: formatInstant(status.nowMs),
    ok: attention.length === 0,
    attention: attention.map((each) => {
      const { what: _, ...named } = each
      return { ...named, message: messageOf(each) }
    }),
    schema: contents?.schema ?? null,
    currentSchema,
    sqlite: { version: contents?.sqliteVersion ?? null, driver },
    fileBytes,
    logBytes,
    diskBytes: diskBytes ?? null,
    diskFreeBytes: diskFreeBytes ?? null,
    checked: contents?.isChecked ?? false,
    damage: contents?.damage ?? null,
    createdAt: instant(contents?.about.createdMs),
    lastBackupAt: instant(contents?.about.lastBackupMs),
    restoredAt: instant(contents?.about.restoredMs),
    upgradedAt: instant(contents?.about.upgradedMs),
    counts: contents?.counts ?? null,
    processes: processes ?? null,
    webhooksBehind:
      contents?.webhooksBehind?.map(({ sinceMs, nextMs, ...webhook }) => ({
        ...webhook,
        since: instant(sinceMs),
        nextAttemptAt: instant(nextMs)
      })) ?? null,
    bannedCallers:
      contents?.bannedCallers?.map(({ accountId, name, bannedUntilMs }) => ({
        account: accountId,
        name,
        bannedUntil: instant(bannedUntilMs)
      })) ?? null,
    callersNearLimit:
      contents?.callersNearLimit?.map(({ accountId, resetMs, ...caller }) => ({
        account: accountId,
        ...caller,
        resetsAt: instant(resetMs)
      })) ?? null,
    expiringKeys:
      contents?.expiringKeys?.map(({ id, accountId, name, start, expiresMs, usedMs }) => ({
        id,
        account: accountId,
        name,
        start,
        expiresAt: instant(expiresMs),
        lastUsedAt: instant(usedMs)
      })) ?? null
  }
}
