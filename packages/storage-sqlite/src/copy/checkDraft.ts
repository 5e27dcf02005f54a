/** Checks a draft, as `verify` does, before it gets its name. */
import { Collections, StorageError } from "@petstore/core/storage"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { codeOf, scopedDraft } from "../connection/createFile.js"
import { writeDraft } from "../connection/writeDraft.js"
import { openReadOnly } from "../connection/openReadOnly.js"
import { migrate, SCHEMA_VERSION } from "../migrations/migrate.js"
import { storeChecks } from "../shop/checks.js"
import { runChecks } from "../verify/runChecks.js"
import { failureOf } from "../base/sqliteFailure.js"
import { copyPages } from "./copyPages.js"

/** The failure of creating a file, with its path. */
export const creationFailure =
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

const checkOpenFile = (
  file: Connection,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const findings = yield* runChecks(file, storeChecks(yield* Collections), onCheck)
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
 * Fails as `Corrupt` if there is a fault. A draft of an earlier schema is checked as it would be
 * after `upgrade`.
 */
export const checkDraft = (
  driver: Driver,
  draft: string,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.flatMap(openReadOnly(draft, { driver, anySchema: true }), ({ file, schema }) =>
      schema < SCHEMA_VERSION
        ? checkUpgradedCopy(draft, file, onCheck)
        : checkOpenFile(file, onCheck)
    )
  )

/** Upgrades a temporary copy beside `path`, and checks that. */
const checkUpgradedCopy = (
  path: string,
  file: Connection,
  onCheck: (check: string) => void
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const scratch = yield* scopedDraft(path).pipe(Effect.mapError(creationFailure(path)))
      yield* Effect.tryPromise({
        try: () => copyPages(file, scratch),
        catch: creationFailure(path)
      })
      yield* Effect.try({
        try: () => upgradeDraft(file.driver, scratch),
        catch: creationFailure(path)
      })
      yield* checkOpenFile((yield* openReadOnly(scratch, { driver: file.driver })).file, onCheck)
    })
  )

/** The same for a store, optionally without a change of its log. */
export const checkUpgradedCopyOf = (
  driver: Driver,
  path: string,
  { keepLog }: { readonly keepLog: boolean },
  onCheck: (check: string) => void = () => undefined
): Effect.Effect<void, StorageError> =>
  Effect.scoped(
    Effect.flatMap(openReadOnly(path, { driver, anySchema: true, keepLog: keepLog }), ({ file }) =>
      checkUpgradedCopy(path, file, onCheck)
    )
  )

const upgradeDraft = (driver: Driver, draft: string): void =>
  writeDraft(driver, draft, (file) => migrate(file, draft))
