/** Copies a store to another file while it is served. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { StorageError } from "@petstore/core"
import Connection, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import { checkNew } from "./checkFile.js"
import { codeOf, draftOf, putInPlace } from "./createFile.js"
import { openToLook } from "./openToLook.js"
import { failureOf } from "./sqliteFailure.js"
import { findingsIn } from "./verify/findingsIn.js"

/** How far a backup is; the total may grow while the store is written. */
export type BackupProgress = { readonly copiedPages: number; readonly totalPages: number }

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

/** Some milliseconds' worth: the event loop turns in between. */
const PAGES_AT_ONCE = 1_000

const failed = (destination: string) => (thrown: unknown) =>
  thrown instanceof StorageError
    ? thrown
    : (failureOf(thrown, `back up to ${destination}`) ??
      new StorageError({
        reason: codeOf(thrown) === "ENOSPC" ? "Full" : "Unavailable",
        detail: `${destination} can't be made: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        cause: thrown
      }))

/** Copies what the file is at the beginning: the copying is within one reading transaction, so that writes don't start it anew. */
const copy = async (
  file: Database,
  draft: string,
  onProgress: (progress: BackupProgress) => void
): Promise<void> => {
  file.exec("BEGIN; SELECT count(*) FROM sqlite_schema")
  try {
    await file.backup(draft, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress({ copiedPages: totalPages - remainingPages, totalPages })
        return PAGES_AT_ONCE
      }
    })
  } finally {
    file.exec("COMMIT")
  }
}

/**
 * What comes after the backup in the store does not come in the copy: places in the feed of the one mean nothing in the other. Without
 * an epoch of its own yet, the copy gets a new one when it is asked for. The file stays in the mode in which it was copied.
 */
const forgetEpoch = (draft: string): void => {
  const file = new Connection(draft, { fileMustExist: true })
  try {
    file.exec("DELETE FROM feed_epochs")
  } finally {
    file.close()
  }
}

const checkCopy = (draft: string, onCheck: (check: string) => void): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const findings = yield* findingsIn(yield* openToLook(draft), onCheck)
      const [first] = findings
      if (first === undefined) return
      yield* new StorageError({
        reason: "Corrupt",
        detail: `the copy has ${findings.length} faults, the first in ${first.check}: ${first.detail}`
      })
    })
  )

/**
 * Makes a copy of the store as it is when it begins, looks it through as `verify` does, and only then gives it its name.
 * The copy is readable by its owner only. Fails, leaving nothing behind, if the destination is there or the copy is not whole.
 */
export const backup = (options: BackupOptions): Effect.Effect<void, StorageError> => {
  const { filename, destination, onProgress = () => undefined, onCheck = () => undefined } = options
  const path = resolve(destination)
  const taken = new StorageError({
    reason: "Unavailable",
    detail: `${path} is there already; a backup replaces nothing`
  })
  return Effect.scoped(
    Effect.gen(function* () {
      if (existsSync(path)) yield* taken
      yield* Effect.try({ try: () => checkNew(path), catch: failed(path) })
      const file = yield* openToLook(filename)
      const draft = yield* draftOf(path).pipe(Effect.mapError(failed(path)))
      yield* Effect.tryPromise({ try: () => copy(file, draft, onProgress), catch: failed(path) })
      yield* Effect.try({ try: () => forgetEpoch(draft), catch: failed(path) })
      yield* checkCopy(draft, onCheck)
      yield* Effect.try({ try: () => putInPlace(draft, path), catch: failed(path) })
    })
  )
}
