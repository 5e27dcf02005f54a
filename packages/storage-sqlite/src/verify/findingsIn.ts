/** Runs every check of an open file, and answers what they find. */
import type { StorageError } from "@petstore/core"
import type { Connection } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { failureOrThrow } from "../base/sqliteFailure.js"
import type { Check, Finding } from "./Finding.js"
import { inspections } from "./findings.js"

/** All findings of all checks, which see one state of the store. */
export const findingsIn = (
  file: Connection,
  checks: ReadonlyArray<Check>,
  onCheck: (check: string) => void
): Effect.Effect<ReadonlyArray<Finding>, StorageError> =>
  Effect.gen(function* () {
    const found: Array<Finding> = []
    file.exec("BEGIN")
    for (const { name, run } of inspections(file, checks)) {
      onCheck(name)
      yield* Effect.yieldNow()
      found.push(
        ...(yield* Effect.try({
          try: run,
          catch: (thrown) => failureOrThrow(thrown, `verify ${file.path}`)
        }))
      )
    }
    return found
  })
