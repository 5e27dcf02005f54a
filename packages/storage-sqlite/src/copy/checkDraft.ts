/** Looks a draft through, as `verify` does, before it gets a name. */
import { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import { connectTo } from "../connection/OpenFiles.js"
import { codeOf, draftOf } from "../connection/createFile.js"
import { openToLook } from "../connection/openToLook.js"
import { migrate, SCHEMA_VERSION } from "../migrations/migrate.js"
import { findingsIn } from "../verify/findingsIn.js"
import { failureOf } from "../sqliteFailure.js"
import { copyPages } from "./copyPages.js"

/** What went wrong while a file was made, as a failure that names it. */
export const failedAt =
  (path: string) =>
  (thrown: unknown): StorageError =>
    thrown instanceof StorageError
      ? thrown
      : (failureOf(thrown, `make ${path}`) ??
        new StorageError({
          reason: codeOf(thrown) === "ENOSPC" ? "Full" : "Unavailable",
          detail: `${path} can't be made: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
          cause: thrown
        }))

/** Fails as `Corrupt` where anything is found. One of an earlier schema is looked through as it would be after `upgrade`. */
export const checkDraft = (
  draft: string,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file, schema } = yield* openToLook(draft, { anySchema: true })
      const upgraded = schema < SCHEMA_VERSION ? yield* rehearsed(draft, file) : file
      const findings = yield* findingsIn(upgraded, onCheck)
      const [first] = findings
      if (first === undefined) return
      yield* new StorageError({
        reason: "Corrupt",
        detail: `the copy has ${findings.length} faults, the first in ${first.check}: ${first.detail}`
      })
    })
  )

/** A copy beside `path` that was brought up to date, open to be looked at; gone with the scope. */
const rehearsed = (path: string, file: Parameters<typeof copyPages>[0]) =>
  Effect.gen(function* () {
    const scratch = yield* draftOf(path).pipe(Effect.mapError(failedAt(path)))
    yield* Effect.tryPromise({ try: () => copyPages(file, scratch), catch: failedAt(path) })
    yield* Effect.try({ try: () => upgradeDraft(scratch), catch: failedAt(path) })
    return (yield* openToLook(scratch)).file
  })

const upgradeDraft = (draft: string): void => {
  const { file, close } = connectTo(draft)
  try {
    migrate(file, draft)
  } finally {
    close()
  }
}
