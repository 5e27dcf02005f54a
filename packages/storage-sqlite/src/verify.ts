/**
 * Looks through a store: whether the file is whole, and whether what is in it keeps the shop's
 * invariants.
 */
import { Collections, type StorageError } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import { chosenDriver, type DriverOption } from "./connection/chosenDriver.js"
import { openToLook } from "./connection/openToLook.js"
import { storeChecks } from "./shop/checks.js"
import type { Finding } from "./verify/Finding.js"
import { findingsIn } from "./verify/findingsIn.js"

/** Which file to look through. */
export type VerifyOptions = DriverOption & {
  readonly filename: string
  /** Told of each check before it begins. */
  readonly onCheck?: (check: string) => void
}

/**
 * What is wrong in a store; nothing, of one that is whole. One of an earlier schema is refused as
 * `OlderVersion`. It may be open and written meanwhile, or read-only. Each check reads a whole
 * table or more and blocks so long. A host with ordering rules of its own may have findings of
 * "units on order", "units sold", "units held" and "statuses".
 */
export const verify = ({
  filename,
  onCheck = () => undefined,
  ...option
}: VerifyOptions): Effect.Effect<ReadonlyArray<Finding>, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file } = yield* openToLook(filename, { driver: yield* chosenDriver(option) })
      return yield* findingsIn(file, storeChecks(yield* Collections), onCheck)
    })
  )
