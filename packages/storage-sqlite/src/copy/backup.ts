/** Copies a store to another file while servers use it. */
import type { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import { noteAbout } from "../status/aboutTable.js"
import type { Driver } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import { chosenDriver, type DriverOption } from "../connection/chosenDriver.js"
import { findFile } from "../connection/checkFile.js"
import { openReadOnly } from "../connection/openReadOnly.js"
import { connectTo } from "../connection/OpenFiles.js"
import { Session } from "../connection/Session.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { catchStorageError, retryWhileBusy } from "../base/retryWhileBusy.js"
import { failureOf } from "../base/sqliteFailure.js"
import { wallClockMs } from "../base/timers.js"
import { creationFailure } from "./checkDraft.js"
import type { CopyProgress } from "./CopyProgress.js"
import { copyTo, newDestination } from "./copyTo.js"

/** How far a backup is; the total may grow while the store is written. */
export type BackupProgress = CopyProgress

/** Which store to copy, and where to. */
export type BackupOptions = DriverOption & {
  /** The store. */
  readonly filename: string
  /** The copy. The file must not exist yet. */
  readonly destination: string
  /** Called each time that a thousand pages are copied. */
  readonly onProgress?: (progress: BackupProgress) => void
  /** Called with the name of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/** How long recording the time of a backup waits for writers, in milliseconds. */
const NOTE_MS = 2_000

/** Records the time of the backup for `status`. Skipped if the store can't be written. */
const noteBackup = (driver: Driver, filename: string): Effect.Effect<void> =>
  retryWhileBusy(NOTE_MS, () =>
    catchStorageError(() => {
      const found = findFile(filename)
      if (found === undefined || found.readOnly !== undefined) return
      const { file, close } = connectTo(driver, found.path)
      try {
        const session = new Session(file, found.path)
        session.begin()
        inTransaction(file, "IMMEDIATE", () => {
          noteAbout(file, "lastBackupMs", wallClockMs())
          session.mark()
        })
      } catch (thrown) {
        throw failureOf(thrown, "note the backup") ?? thrown
      } finally {
        close()
      }
    })
  ).pipe(Effect.ignore)

/**
 * Copies the store as it is at the start, checks the copy as by `verify`, and only then gives it
 * its name. The copy is readable by its owner only, and has the schema of the store. Fails if the
 * destination exists or the copy has a fault; then it leaves no file behind.
 */
export const backup = (options: BackupOptions): Effect.Effect<void, StorageError> => {
  const { filename, destination } = options
  return Effect.scoped(
    Effect.gen(function* () {
      const path = yield* Effect.try({
        try: () => newDestination(destination),
        catch: creationFailure(destination)
      })
      const driver = yield* chosenDriver(options)
      const { file, schema } = yield* openReadOnly(filename, { driver, anySchema: true })
      yield* copyTo(file, path, options)
      if (schema === SCHEMA_VERSION) yield* noteBackup(driver, filename)
    })
  )
}
