/** Copies a store to another file while it is served. */
import { existsSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import { noteAbout } from "../about.js"
import { checkNew, destinationOf, findFile } from "../connection/checkFile.js"
import { draftOf, putInPlace } from "../connection/createFile.js"
import { openToLook } from "../connection/openToLook.js"
import { connectTo } from "../connection/OpenFiles.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { renewSession } from "../migrations/version.js"
import { caught, insist } from "../pause.js"
import { failureOf } from "../sqliteFailure.js"
import { wallClockMs } from "../timers.js"
import { checkDraft, failedAt } from "./checkDraft.js"
import { type CopyProgress, copyPages } from "./copyPages.js"

/** How far a backup is; the total may grow while the store is written. */
export type BackupProgress = CopyProgress

/** What to copy, and where to. */
export type BackupOptions = {
  /** The store. */
  readonly filename: string
  /** The copy. There must be no such file yet. */
  readonly destination: string
  /** Told how far it is, each time a thousand pages are copied. */
  readonly onProgress?: (progress: BackupProgress) => void
  /** Told of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/**
 * What comes after the backup in the store does not come in the copy: sequence numbers in the feed of
 * the one mean nothing in the other, and neither does the log of the one. Without an epoch of its own
 * yet, the copy gets a new one when it is asked for.
 */
export const separate = (draft: string, also: (file: Database) => void = () => undefined): void => {
  const { file, close } = connectTo(draft)
  try {
    file.exec("DELETE FROM feed_epochs")
    also(file)
    renewSession(file)
  } finally {
    close()
  }
}

/** Where a new copy can be made; anything that is there is left alone. */
export const newDestination = (destination: string): string => {
  const path = destinationOf(destination)
  if (existsSync(path)) {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${path} is there already; a backup replaces nothing`
    })
  }
  checkNew(path)
  return path
}

/** Makes a verified copy of an open file under a name that is free. */
export const copyTo = (
  file: Database,
  path: string,
  { onProgress = () => undefined, onCheck = () => undefined }: Partial<BackupOptions>
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const draft = yield* draftOf(path).pipe(Effect.mapError(failedAt(path)))
      yield* Effect.tryPromise({ try: () => copyPages(file, draft, onProgress), catch: failedAt(path) })
      yield* Effect.try({ try: () => separate(draft), catch: failedAt(path) })
      yield* checkDraft(draft, onCheck)
      yield* Effect.try({ try: () => putInPlace(draft, path), catch: failedAt(path) })
    })
  )

/** How long the note of a backup waits for those who write. */
const NOTE_MS = 2_000

/** For `status`, which says when the last one was made. A store that takes no writes goes without. */
const noteBackup = (filename: string): Effect.Effect<void> =>
  insist(NOTE_MS, () =>
    caught(() => {
      const found = findFile(filename)
      if (found === undefined || found.readOnly !== undefined) return
      const { file, close } = connectTo(found.path)
      try {
        noteAbout(file, "lastBackupMs", wallClockMs())
      } catch (thrown) {
        throw failureOf(thrown, "note the backup") ?? thrown
      } finally {
        close()
      }
    })
  ).pipe(Effect.ignore)

/**
 * Makes a copy of the store as it is when it begins, looks it through as `verify` does, and only then gives it its name.
 * The copy is readable by its owner only, and of the schema that the store has. Fails, leaving nothing behind, if the destination is there or
 * the copy is not whole.
 */
export const backup = (options: BackupOptions): Effect.Effect<void, StorageError> => {
  const { filename, destination } = options
  return Effect.scoped(
    Effect.gen(function* () {
      const path = yield* Effect.try({ try: () => newDestination(destination), catch: failedAt(destination) })
      const { file, schema } = yield* openToLook(filename, { anySchema: true })
      yield* copyTo(file, path, options)
      if (schema === SCHEMA_VERSION) yield* noteBackup(filename)
    })
  )
}
