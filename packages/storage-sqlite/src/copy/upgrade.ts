/** Brings a file that an earlier version wrote up to date, with a way back. */
import { StorageError } from "@petstore/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { chosenDriver, type DriverOption } from "../connection/chosenDriver.js"
import type { Driver } from "../driver/Driver.js"
import { checkFile } from "../connection/checkFile.js"
import { alone, migrateAlone } from "../connection/alone.js"
import { removeLeftDrafts } from "../connection/drafts.js"
import { openToLook } from "../connection/openToLook.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { caught } from "../base/pause.js"
import { beforeUpgrade } from "./beforeUpgrade.js"
import { copyTo, newDestination } from "./copyTo.js"
import { checkUpgradeOf, failedAt } from "./checkDraft.js"
import type { CopyProgress } from "./CopyProgress.js"
import { keptName } from "./stamp.js"

/** Which file to bring up to date, and how carefully. */
export type UpgradeOptions = DriverOption & {
  readonly filename: string
  /**
   * The copy that is made first, a file that is not there yet; `false` for none. Beside the file
   * under a dated name unless given.
   */
  readonly backup?: string | false
  /** Whether only a copy is brought up to date and looked through, and then thrown away. */
  readonly dryRun?: boolean
  /** Told how far the copy is, each time a thousand pages are copied. */
  readonly onProgress?: (progress: CopyProgress) => void
  /** Told of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/** What was done. */
export type Upgraded = {
  /** The schema that the file had. */
  readonly from: number
  /** The schema that it has now, or would have. */
  readonly to: number
  /** The copy that was made first. */
  readonly backup: string | undefined
}

/**
 * Brings the schema of a file up to date, for good. Nobody else may have the file open: else it
 * fails as `Busy`. First it makes a copy, of the earlier schema, which is looked through as it
 * would be after the upgrade; where that finds a fault nothing is changed. The upgrade itself is
 * one transaction. A file that is up to date is left alone.
 */
export const upgrade = (options: UpgradeOptions): Effect.Effect<Upgraded, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = yield* existing(options.filename)
      const driver = yield* chosenDriver(options)
      const wasLookedThrough = yield* beforeUpgrade(driver, path, 0, options.onCheck)
      const from = (yield* Effect.scoped(openToLook(path, { driver, anySchema: true }))).schema
      const done = { from, to: SCHEMA_VERSION, backup: undefined }
      if (from === SCHEMA_VERSION) return done
      removeLeftDrafts(path)
      if (options.dryRun === true) {
        if (!wasLookedThrough)
          yield* checkUpgradeOf(driver, path, { leaveLog: false }, options.onCheck)
        return done
      }
      return { ...done, backup: yield* change(driver, path, options) }
    })
  )

const existing = (filename: string): Effect.Effect<string, StorageError> =>
  Effect.suspend(() =>
    caught(() => {
      const { path, state } = checkFile(filename)
      if (state === "existing") return path
      throw new StorageError({ reason: "Unavailable", detail: `${path} does not exist` })
    })
  )

/** From the copy to the upgrade the file is locked, so that nothing is written in between. */
const change = (
  driver: Driver,
  path: string,
  options: UpgradeOptions
): Effect.Effect<string | undefined, StorageError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = yield* alone(driver, path)
    const backup = yield* options.backup === false
      ? Effect.succeed(undefined)
      : Effect.suspend(() =>
          caught(() => newDestination(options.backup || keptName(path, "before-upgrade")))
        )
    if (backup !== undefined) yield* copyTo(file, backup, options)
    yield* Effect.try({ try: () => migrateAlone(file, path), catch: failedAt(path) })
    return backup
  })
