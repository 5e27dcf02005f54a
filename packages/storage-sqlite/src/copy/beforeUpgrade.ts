/** The checks of an upgrade before SQLite may write to the file. */
import { StorageError } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import { catchStorageError, retryWhileBusy } from "../base/retryWhileBusy.js"
import { checkNotOpenElsewhere } from "../connection/exclusiveConnection.js"
import { olderSchemaAt } from "../connection/checkHeader.js"
import type { Driver } from "../driver/Driver.js"
import { existingPathOf } from "../connection/fileName.js"
import { hasLog } from "../connection/LogFiles.js"
import { connectTo } from "../connection/OpenFiles.js"
import { checkUpgradedCopyOf } from "./checkDraft.js"

/**
 * Waits until no other process has a file of an earlier schema open, and else fails as `Busy`. If
 * there is a log beside the file, a copy of both is upgraded and checked: files of earlier schemas
 * have no session that shows whether the log is their own. If the check passes, the log is
 * checkpointed; if not, nothing is changed. Returns whether a log was checked. All other problems
 * of the file are left to the callers.
 */
export const beforeUpgrade = (
  driver: Driver,
  filename: string,
  busyMs: number,
  onCheck?: (check: string) => void
): Effect.Effect<boolean, StorageError> =>
  Effect.gen(function* () {
    const path = yield* Effect.suspend(() => catchStorageError(() => existingPathOf(filename)))
    if (path === undefined) return false
    const isOlder = yield* retryWhileBusy(busyMs, () =>
      catchStorageError(() => {
        if (olderSchemaAt(path) === undefined) return false
        checkNotOpenElsewhere(path)
        return true
      })
    )
    if (!isOlder || !hasLog(path)) return false
    yield* Effect.mapError(
      checkUpgradedCopyOf(driver, path, { keepLog: true }, onCheck),
      (failure) => withAdvice(path, failure)
    )
    yield* Effect.suspend(() => catchStorageError(() => mergeLog(driver, path)))
    return true
  })

/** Merges the log into the file: SQLite checkpoints when it closes the last connection. */
const mergeLog = (driver: Driver, path: string): void => {
  const { file, close } = connectTo(driver, path)
  try {
    file.pragma("user_version")
  } finally {
    close()
  }
}

const withAdvice = (path: string, failure: StorageError): StorageError =>
  failure.reason !== "Corrupt" && failure.reason !== "Unknown"
    ? failure
    : new StorageError({
        reason: "Corrupt",
        detail:
          `${path} is damaged as it is with ${path}-wal (${failure.detail}); nothing was ` +
          "changed. If the file was put in the place of another one, that is the log of the " +
          `other: move ${path}-wal and ${path}-shm out of the way, and upgrade again. If not, ` +
          "go back to a backup with petstore restore",
        cause: failure
      })
