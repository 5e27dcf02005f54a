/** The driver that an option names, as an effect that fails if it can't be loaded. */
import type { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import { catchStorageError } from "../base/retryWhileBusy.js"
import type { Driver, DriverName } from "../driver/Driver.js"
import { driverOf } from "../driver/driverOf.js"

/** An option of every function that opens a file. */
export type DriverOption = {
  /**
   * The driver that opens the file. By default the one that the environment variable
   * PETSTORE_DRIVER names, else Node's own, or the package if Node has none. A process opens a file
   * by one driver.
   */
  readonly driver?: DriverName
}

export const chosenDriver = ({ driver }: DriverOption): Effect.Effect<Driver, StorageError> =>
  Effect.suspend(() => catchStorageError(() => driverOf(driver)))
