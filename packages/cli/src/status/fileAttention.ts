/** Problems of the file itself that need attention. `file` is quoted for a shell. */
import type { StorageError } from "@petstore/core"
import type { StoreContents, StoreStatus } from "@petstore/storage-sqlite"
import { storageFailure } from "../store/attempt.js"
import { formatAge, formatBytes, shortTime, printable } from "../terminal/text.js"
import type { Attention } from "./Attention.js"

/** Twice the size that a checkpoint truncates the log to: something prevents checkpoints. */
const LARGE_LOG_BYTES = 64 * 2 ** 20

/** Half of it for the log, which may grow so far before writes are refused, half for the file. */
const LOW_DISK_BYTES = 512 * 2 ** 20

/** For a file that can't be read. Most failures already say what to do. */
export const unreadableAttention = (failure: StorageError, file: string): Attention<string> => {
  const { code, message } = storageFailure(failure)
  switch (failure.reason) {
    case "Corrupt":
      return {
        code,
        what:
          `${message}; if it is not the file that you meant, name another with --db, else stop ` +
          "its servers, leave it where it is, and put a backup in its place, which takes over " +
          "what can still be read of it",
        command: `petstore restore BACKUP --db ${file}`
      }
    case "Unknown":
      return { code, what: `${message}; check the file`, command: `petstore verify --db ${file}` }
    default:
      return { code, what: message }
  }
}

/** `contents` is undefined if it can't be read. */
export const fileAttention = (
  { currentSchema, logBytes, diskFreeBytes, processes }: StoreStatus,
  contents: StoreContents | undefined,
  file: string
): ReadonlyArray<Attention> => {
  const problems: Array<Attention> = []
  if (contents?.damage !== undefined)
    problems.push({
      code: "damaged",
      what:
        `The file is damaged (${printable(contents.damage, 120)}); stop its servers and put a ` +
        "backup in its place",
      command: `petstore restore BACKUP --db ${file}`
    })
  if (contents !== undefined && contents.schema < currentSchema)
    problems.push({
      code: "older_version",
      what:
        `The file has schema ${contents.schema}, and this version needs ${currentSchema}; stop ` +
        "its servers and bring it up to date",
      command: `petstore upgrade --db ${file}`
    })
  if (diskFreeBytes !== undefined && diskFreeBytes < LOW_DISK_BYTES)
    problems.push({
      code: "disk_nearly_full",
      what: `The disk has ${formatBytes(diskFreeBytes)} left; make room before writes are refused`
    })
  if (logBytes > LARGE_LOG_BYTES)
    problems.push({
      code: "log_large",
      what:
        processes?.length === 0
          ? `The log has grown to ${formatBytes(logBytes)}; the next server that opens the ` +
            "file writes it back"
          : `The log has grown to ${formatBytes(logBytes)}, since something reads the store ` +
            "without an end; end what has had the file open for long"
    })
  return problems
}

/**
 * The last time when the records had a copy, or were new. After an upgrade of an earlier schema
 * only the time of the upgrade is known.
 */
const lastSafeMs = ({ about }: StoreContents): number => {
  const times = [about.lastBackupMs, about.restoredMs, about.createdMs].filter(
    (each) => each !== undefined
  )
  return times.length === 0 ? (about.upgradedMs ?? 0) : Math.max(...times)
}

/** Earlier schemas do not record backups, and `upgrade` makes one. */
export const backupAttention = (
  { nowMs, currentSchema }: StoreStatus,
  contents: StoreContents,
  withinMs: number,
  file: string
): ReadonlyArray<Attention> => {
  if (contents.schema < currentSchema || nowMs - lastSafeMs(contents) <= withinMs) return []
  const { lastBackupMs } = contents.about
  return [
    {
      code: "backup_old",
      what:
        lastBackupMs === undefined
          ? "No backup is known of; make one"
          : `The last backup is ${formatAge(nowMs - lastBackupMs)} old, of ` +
            `${shortTime(lastBackupMs)} UTC; make another`,
      command: `petstore backup DEST --db ${file}`
    }
  ]
}
