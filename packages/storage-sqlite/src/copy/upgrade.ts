/** Upgrades a file of an earlier schema, after a backup of it. */
import { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { chosenDriver, type DriverOption } from "../connection/chosenDriver.js"
import type { Driver } from "../driver/Driver.js"
import { checkFile } from "../connection/checkFile.js"
import { exclusiveConnection, migrateExclusively } from "../connection/exclusiveConnection.js"
import { removeAbandonedDrafts } from "../connection/drafts.js"
import { openReadOnly } from "../connection/openReadOnly.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { catchStorageError } from "../base/retryWhileBusy.js"
import { beforeUpgrade } from "./beforeUpgrade.js"
import { copyTo, newDestination } from "./copyTo.js"
import { checkUpgradedCopyOf, creationFailure } from "./checkDraft.js"
import type { CopyProgress } from "./CopyProgress.js"
import { datedName } from "./datedName.js"

/** Which file to upgrade, and how. */
export type UpgradeOptions = DriverOption & {
  readonly filename: string
  /**
   * The backup that is made first, a file that does not exist yet; `false` for none. By default it
   * is beside the file under a dated name.
   */
  readonly backup?: string | false
  /** Whether to upgrade and check only a temporary copy. */
  readonly dryRun?: boolean
  /** Called each time that a thousand pages of the backup are copied. */
  readonly onProgress?: (progress: CopyProgress) => void
  /** Called with the name of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/** The result of an upgrade. */
export type Upgraded = {
  /** The schema that the file had. */
  readonly from: number
  /** The schema that it has now, or would have. */
  readonly to: number
  /** The backup that was made first. */
  readonly backup: string | undefined
}

/**
 * Upgrades the schema of a file. Fails as `Busy` if another connection has the file open. First it
 * makes a backup, of the earlier schema, and checks an upgraded copy of it; if that has a fault,
 * nothing is changed. The upgrade itself is one transaction. A file of the current schema is not
 * changed.
 */
export const upgrade = (options: UpgradeOptions): Effect.Effect<Upgraded, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = yield* existingPath(options.filename)
      const driver = yield* chosenDriver(options)
      const wasChecked = yield* beforeUpgrade(driver, path, 0, options.onCheck)
      const from = (yield* Effect.scoped(openReadOnly(path, { driver, anySchema: true }))).schema
      const result = { from, to: SCHEMA_VERSION, backup: undefined }
      if (from === SCHEMA_VERSION) return result
      removeAbandonedDrafts(path)
      if (options.dryRun === true) {
        if (!wasChecked)
          yield* checkUpgradedCopyOf(driver, path, { keepLog: false }, options.onCheck)
        return result
      }
      return { ...result, backup: yield* upgradeFile(driver, path, options) }
    })
  )

const existingPath = (filename: string): Effect.Effect<string, StorageError> =>
  Effect.suspend(() =>
    catchStorageError(() => {
      const { path, state } = checkFile(filename)
      if (state === "existing") return path
      throw new StorageError({ reason: "Unavailable", detail: `${path} does not exist` })
    })
  )

/** Locks the file from the backup to the upgrade, so that nothing is written in between. */
const upgradeFile = (
  driver: Driver,
  path: string,
  options: UpgradeOptions
): Effect.Effect<string | undefined, StorageError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = yield* exclusiveConnection(driver, path)
    const backup = yield* options.backup === false
      ? Effect.succeed(undefined)
      : Effect.suspend(() =>
          catchStorageError(() =>
            newDestination(options.backup || datedName(path, "before-upgrade"))
          )
        )
    if (backup !== undefined) yield* copyTo(file, backup, options)
    yield* Effect.try({ try: () => migrateExclusively(file, path), catch: creationFailure(path) })
    return backup
  })
