/** Looks a draft through, as `verify` does, before it gets a name. */
import { Collections, StorageError } from "@petstore/core/storage"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { codeOf, draftOf } from "../connection/createFile.js"
import { writeDraft } from "../connection/writeDraft.js"
import { openToLook } from "../connection/openToLook.js"
import { migrate, SCHEMA_VERSION } from "../migrations/migrate.js"
import { storeChecks } from "../shop/checks.js"
import { findingsIn } from "../verify/findingsIn.js"
import { failureOf } from "../base/sqliteFailure.js"
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
          detail:
            `${path} can't be made: ` + (thrown instanceof Error ? thrown.message : String(thrown)),
          cause: thrown
        }))

const check = (
  file: Connection,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const findings = yield* findingsIn(file, storeChecks(yield* Collections), onCheck)
    const [first] = findings
    if (first !== undefined)
      yield* new StorageError({
        reason: "Corrupt",
        detail:
          `the copy has ${findings.length} faults, ` +
          `the first in ${first.check}: ${first.detail}`
      })
  })

/**
 * Fails as `Corrupt` where anything is found. One of an earlier schema is looked through as it
 * would be after `upgrade`.
 */
export const checkDraft = (
  driver: Driver,
  draft: string,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.flatMap(openToLook(draft, { driver, anySchema: true }), ({ file, schema }) =>
      schema < SCHEMA_VERSION ? checkUpgraded(draft, file, onCheck) : check(file, onCheck)
    )
  )

/** Brings a copy beside `path` up to date, and looks that through; it is gone afterwards. */
const checkUpgraded = (
  path: string,
  file: Connection,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const scratch = yield* draftOf(path).pipe(Effect.mapError(failedAt(path)))
      yield* Effect.tryPromise({ try: () => copyPages(file, scratch), catch: failedAt(path) })
      yield* Effect.try({ try: () => upgradeDraft(file.driver, scratch), catch: failedAt(path) })
      yield* check((yield* openToLook(scratch, { driver: file.driver })).file, onCheck)
    })
  )

/** The same for a store; its log may be left as it is. */
export const checkUpgradeOf = (
  driver: Driver,
  path: string,
  { leaveLog }: { readonly leaveLog: boolean },
  onCheck: (check: string) => void = () => undefined
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.flatMap(openToLook(path, { driver, anySchema: true, leaveLog }), ({ file }) =>
      checkUpgraded(path, file, onCheck)
    )
  )

const upgradeDraft = (driver: Driver, draft: string): void =>
  writeDraft(driver, draft, (file) => migrate(file, draft))
