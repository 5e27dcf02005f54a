/** Copies a store to another file while it is served. */
import type { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import { noteAbout } from "../status/aboutTable.js"
import type { Driver } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import { chosenDriver, type DriverOption } from "../connection/chosenDriver.js"
import { findFile } from "../connection/checkFile.js"
import { openToLook } from "../connection/openToLook.js"
import { connectTo } from "../connection/OpenFiles.js"
import { Session } from "../connection/Session.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { caught, insist } from "../base/pause.js"
import { failureOf } from "../base/sqliteFailure.js"
import { wallClockMs } from "../base/timers.js"
import { failedAt } from "./checkDraft.js"
import type { CopyProgress } from "./CopyProgress.js"
import { copyTo, newDestination } from "./copyTo.js"

/** How far a backup is; the total may grow while the store is written. */
export type BackupProgress = CopyProgress

/** What to copy, and where to. */
export type BackupOptions = DriverOption & {
  /** The store. */
  readonly filename: string
  /** The copy. There must be no such file yet. */
  readonly destination: string
  /** Told how far it is, each time a thousand pages are copied. */
  readonly onProgress?: (progress: BackupProgress) => void
  /** Told of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/** How long the note of a backup waits for those who write. */
const NOTE_MS = 2_000

/**
 * For `status`, which says when the last one was made. A store that takes no writes goes without.
 */
const noteBackup = (driver: Driver, filename: string): Effect.Effect<void> =>
  insist(NOTE_MS, () =>
    caught(() => {
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
 * Makes a copy of the store as it is when it begins, looks it through as `verify` does, and only
 * then gives it its name. The copy is readable by its owner only, and of the schema that the store
 * has. Fails, leaving nothing behind, if the destination is there or the copy is not whole.
 */
export const backup = (options: BackupOptions): Effect.Effect<void, StorageError> => {
  const { filename, destination } = options
  return Effect.scoped(
    Effect.gen(function* () {
      const path = yield* Effect.try({
        try: () => newDestination(destination),
        catch: failedAt(destination)
      })
      const driver = yield* chosenDriver(options)
      const { file, schema } = yield* openToLook(filename, { driver, anySchema: true })
      yield* copyTo(file, path, options)
      if (schema === SCHEMA_VERSION) yield* noteBackup(driver, filename)
    })
  )
}
