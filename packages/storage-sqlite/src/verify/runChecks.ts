/** Runs all checks of an open file. */
import type { StorageError } from "@petstore/core"
import type { Connection } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { failureOrThrow } from "../base/sqliteFailure.js"
import type { Check, Finding } from "./Finding.js"
import { runnableChecks } from "./runnableChecks.js"

/** The findings of all checks, in one read transaction. */
export const runChecks = (
  file: Connection,
  checks: ReadonlyArray<Check>,
  onCheck: (check: string) => void
): Effect.Effect<ReadonlyArray<Finding>, StorageError> =>
  Effect.gen(function* () {
    const findings: Array<Finding> = []
    file.exec("BEGIN")
    for (const { name, run } of runnableChecks(file, checks)) {
      onCheck(name)
      yield* Effect.yieldNow()
      findings.push(
        ...(yield* Effect.try({
          try: run,
          catch: (thrown) => failureOrThrow(thrown, `verify ${file.path}`)
        }))
      )
    }
    return findings
  })
