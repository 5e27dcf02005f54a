/** Makes a verified copy of an open file. */
import { existsSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { checkNew } from "../connection/place.js"
import { destinationOf } from "../connection/fileName.js"
import { draftOf, putInPlace } from "../connection/createFile.js"
import { removeLeftDrafts } from "../connection/drafts.js"
import { writeDraft } from "../connection/writeDraft.js"
import { renewSession } from "../migrations/version.js"
import type { CopyProgress } from "./CopyProgress.js"
import { checkDraft, failedAt } from "./checkDraft.js"
import { copyPages } from "./copyPages.js"

/**
 * What comes after the backup in the store does not come in the copy: sequence numbers in the feed
 * of the one mean nothing in the other, and neither does the log of the one. Without an epoch of
 * its own yet, the copy gets a new one when it is asked for.
 */
export const separate = (
  driver: Driver,
  draft: string,
  also: (file: Connection) => void = () => undefined
): void =>
  writeDraft(driver, draft, (file) => {
    file.exec("DELETE FROM feed_epochs")
    also(file)
    renewSession(file)
  })

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
      removeLeftDrafts(path)
      const draft = yield* draftOf(path).pipe(Effect.mapError(failedAt(path)))
      yield* Effect.tryPromise({
        try: () => copyPages(file, draft, onProgress),
        catch: failedAt(path)
      })
      yield* Effect.try({ try: () => separate(file.driver, draft), catch: failedAt(path) })
      yield* checkDraft(file.driver, draft, onCheck)
      yield* Effect.try({ try: () => putInPlace(file.driver, draft, path), catch: failedAt(path) })
    })
  )
