/** Tells of a store what its operator wants to know, and changes nothing. */
import { SPECIFIED_PLANS, StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readAbout } from "./aboutTable.js"
import { existingPathOf } from "../connection/fileName.js"
import { chosenDriver } from "../connection/chosenDriver.js"
import { openReadOnly } from "../connection/openReadOnly.js"
import { connectionsTo, fileIdOf } from "../connection/OpenFiles.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { caught } from "../base/pause.js"
import { failureOf, failureOrThrow } from "../base/sqliteFailure.js"
import { wallClockMs } from "../base/timers.js"
import { callersIn } from "./callers.js"
import { countsIn } from "./counts.js"
import { expiringKeysIn } from "./expiringKeys.js"
import type { StatusOptions, StoreContents, StoreStatus, Surroundings } from "./StoreStatus.js"
import { surroundingsOf } from "./surroundings.js"
import { webhooksBehindIn } from "./webhooksBehind.js"

/** Files of up to so many bytes are looked through, which takes about half a second at most. */
const MOST_CHECKED_BYTES = 64 * 2 ** 20

type Known = Required<Omit<StatusOptions, "filename" | "driver">>

/** The first damage of the pages, as far as they are looked through. */
const damageIn = (file: Connection, isChecked: boolean): string | undefined => {
  const found = isChecked ? file.values<string>("PRAGMA quick_check(1)").get() : undefined
  return found === "ok" ? undefined : found
}

const contentsOf = (
  file: Connection,
  schema: number,
  fileBytes: number,
  { nowMs, plans }: Known
): StoreContents => {
  /** What is read of tables that an earlier schema may not have, or not with all columns. */
  const known = <A>(read: () => A): A | undefined => {
    try {
      return read()
    } catch (thrown) {
      if (schema < SCHEMA_VERSION && failureOf(thrown, "read")?.reason === "Unknown")
        return undefined
      throw thrown
    }
  }
  const isChecked = fileBytes <= MOST_CHECKED_BYTES
  const callers = known(() => callersIn(file, plans, nowMs))
  return {
    schema,
    sqliteVersion: file.values<string>("SELECT sqlite_version()").get() ?? "",
    about: readAbout(file),
    damage: damageIn(file, isChecked),
    isChecked,
    counts: known(() => countsIn(file, schema)),
    webhooksBehind: known(() => webhooksBehindIn(file, nowMs)),
    expiringKeys: known(() => expiringKeysIn(file, nowMs)),
    bannedCallers: callers?.banned,
    callersNearLimit: callers?.nearLimit
  }
}

/**
 * Whether nobody seems to have the file open, and a log was left by a process that was killed.
 * SQLite would write it back into the file with the end of a connection that may write.
 */
const isLogLeft = ({ path, logBytes, processes }: Surroundings): boolean => {
  const id = fileIdOf(path)
  const isOpen = (processes ?? []).length > 0 || (id !== undefined && connectionsTo(id) > 0)
  return logBytes > 0 && !isOpen
}

const read = (
  driver: Driver,
  around: Surroundings,
  known: Known
): Effect.Effect<StoreContents, StorageError> =>
  Effect.scoped(
    Effect.flatMap(
      openReadOnly(around.path, { driver, anySchema: true, keepLog: isLogLeft(around) }),
      ({ file, schema }) =>
        Effect.try({
          try: () =>
            inTransaction(file, "DEFERRED", () =>
              contentsOf(file, schema, around.fileBytes, known)
            ),
          catch: (thrown) => failureOrThrow(thrown, `read ${around.path}`)
        })
    )
  )

/**
 * A store's schema, sizes and counts, who has it open, and which of its webhooks, keys and callers
 * need attention. All of the file is read in one snapshot. Nothing is changed. The file may be open
 * and written meanwhile, read-only, or of an earlier schema. A file that can't be written is copied
 * first, unless another process has it open. Reading blocks this process, and no writer.
 *
 * A file that can't be read is no failure: `contents` says why. Fails as `Unavailable` where there
 * is no file.
 */
export const status = ({
  filename,
  nowMs = wallClockMs(),
  plans = SPECIFIED_PLANS,
  ...option
}: StatusOptions): Effect.Effect<StoreStatus, StorageError> =>
  Effect.gen(function* () {
    const path = yield* Effect.suspend(() => caught(() => existingPathOf(filename)))
    if (path === undefined) {
      return yield* new StorageError({
        reason: "Unavailable",
        detail: `${filename} does not exist`
      })
    }
    const around = surroundingsOf(path)
    const driver = yield* chosenDriver(option)
    const contents = yield* Effect.either(read(driver, around, { nowMs, plans }))
    return {
      ...around,
      nowMs,
      currentSchema: SCHEMA_VERSION,
      driver: driver.name,
      contents: Either.merge(contents)
    }
  })
