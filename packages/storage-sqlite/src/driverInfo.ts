/** By what files are opened here. */
import type { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import { catchStorageError } from "./base/retryWhileBusy.js"
import { chosenDriver, type DriverOption } from "./connection/chosenDriver.js"
import type { DriverName } from "./driver/Driver.js"

/** A driver, and the version of its SQLite. */
export type DriverInfo = { readonly driver: DriverName; readonly sqliteVersion: string }

/** The driver that opens files with these options. Fails as `Unavailable` where there is none. */
export const driverInfo = (option: DriverOption = {}): Effect.Effect<DriverInfo, StorageError> =>
  Effect.flatMap(chosenDriver(option), (driver) =>
    Effect.suspend(() =>
      catchStorageError(() => ({ driver: driver.name, sqliteVersion: driver.sqliteVersion() }))
    )
  )
