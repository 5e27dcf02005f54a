/** Makes a checked copy of an open file. */
import { existsSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { checkNew } from "../connection/storeLocation.js"
import { newPathOf } from "../connection/fileName.js"
import { scopedDraft, publishDraft } from "../connection/createFile.js"
import { removeAbandonedDrafts } from "../connection/drafts.js"
import { writeDraft } from "../connection/writeDraft.js"
import { renewSession } from "../migrations/version.js"
import type { CopyProgress } from "./CopyProgress.js"
import { checkDraft, creationFailure } from "./checkDraft.js"
import { copyPages } from "./copyPages.js"

/**
 * Makes a copy independent of the store it comes from: after the copy both go on with different
 * changes, so positions in one feed, and the log of one file, are not valid for the other. The copy
 * gets a new session, and its epoch is removed; the next reader of its feed creates a new one.
 */
export const makeIndependent = (
  driver: Driver,
  draft: string,
  change: (file: Connection) => void = () => undefined
): void =>
  writeDraft(driver, draft, (file) => {
    file.exec("DELETE FROM feed_epochs")
    change(file)
    renewSession(file)
  })

/** The path for a new copy. Throws if there is a file already, or if the folder is not suitable. */
export const newDestination = (destination: string): string => {
  const path = newPathOf(destination)
  if (existsSync(path)) {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${path} exists already; a backup never replaces a file`
    })
  }
  checkNew(path)
  return path
}

/** Makes a checked copy of an open file, under a name that does not exist yet. */
export const copyTo = (
  file: Connection,
  path: string,
  {
    onProgress = () => undefined,
    onCheck = () => undefined
  }: {
    readonly onProgress?: (progress: CopyProgress) => void
    readonly onCheck?: (check: string) => void
  }
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      removeAbandonedDrafts(path)
      const draft = yield* scopedDraft(path).pipe(Effect.mapError(creationFailure(path)))
      yield* Effect.tryPromise({
        try: () => copyPages(file, draft, onProgress),
        catch: creationFailure(path)
      })
      yield* Effect.try({
        try: () => makeIndependent(file.driver, draft),
        catch: creationFailure(path)
      })
      yield* checkDraft(file.driver, draft, onCheck)
      yield* Effect.try({
        try: () => publishDraft(file.driver, draft, path),
        catch: creationFailure(path)
      })
    })
  )
