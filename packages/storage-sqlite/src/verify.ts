/** Checks a store: that the file is not damaged, and that its rows keep the shop's invariants. */
import { Collections, type StorageError } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import { chosenDriver, type DriverOption } from "./connection/chosenDriver.js"
import { openReadOnly } from "./connection/openReadOnly.js"
import { storeChecks } from "./shop/checks.js"
import type { Finding } from "./verify/Finding.js"
import { runChecks } from "./verify/runChecks.js"

/** Which file to check. */
export type VerifyOptions = DriverOption & {
  readonly filename: string
  /** Called with the name of each check before it begins. */
  readonly onCheck?: (check: string) => void
}

/**
 * The faults of a store; empty if there are none. A file of an earlier schema is refused as
 * `OlderVersion`. The file may be read-only, and other processes may write it meanwhile. Each check
 * reads one table or more, and blocks the event loop for that time. A host with its own ordering
 * rules may have findings of "units on order", "units sold", "units held" and "statuses".
 */
export const verify = ({
  filename,
  onCheck = () => undefined,
  ...option
}: VerifyOptions): Effect.Effect<ReadonlyArray<Finding>, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file } = yield* openReadOnly(filename, { driver: yield* chosenDriver(option) })
      return yield* runChecks(file, storeChecks(yield* Collections), onCheck)
    })
  )
