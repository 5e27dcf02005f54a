/** Reads the status of a store for its operator, without a change. */
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
import { catchStorageError } from "../base/retryWhileBusy.js"
import { failureOf, failureOrThrow } from "../base/sqliteFailure.js"
import { wallClockMs } from "../base/timers.js"
import { callersIn } from "./callers.js"
import { countsIn } from "./counts.js"
import { expiringKeysIn } from "./expiringKeys.js"
import type { StatusOptions, StoreContents, StoreStatus, FileInfo } from "./StoreStatus.js"
import { fileInfoOf } from "./fileInfo.js"
import { webhooksBehindIn } from "./webhooksBehind.js"

/** Files of up to so many bytes are checked for damage, which takes half a second at most. */
const MAX_CHECKED_BYTES = 64 * 2 ** 20

type ReadOptions = Required<Omit<StatusOptions, "filename" | "driver">>

/** The first damage in the pages, if they are checked. */
const damageIn = (file: Connection, isChecked: boolean): string | undefined => {
  const found = isChecked ? file.values<string>("PRAGMA quick_check(1)").get() : undefined
  return found === "ok" ? undefined : found
}

const contentsOf = (
  file: Connection,
  schema: number,
  fileBytes: number,
  { nowMs, plans }: ReadOptions
): StoreContents => {
  /** Undefined if an earlier schema lacks a table or a column that `read` needs. */
  const unlessOlderSchema = <A>(read: () => A): A | undefined => {
    try {
      return read()
    } catch (thrown) {
      if (schema < SCHEMA_VERSION && failureOf(thrown, "read")?.reason === "Unknown")
        return undefined
      throw thrown
    }
  }
  const isChecked = fileBytes <= MAX_CHECKED_BYTES
  const callers = unlessOlderSchema(() => callersIn(file, plans, nowMs))
  return {
    schema,
    sqliteVersion: file.values<string>("SELECT sqlite_version()").get() ?? "",
    about: readAbout(file),
    damage: damageIn(file, isChecked),
    isChecked,
    counts: unlessOlderSchema(() => countsIn(file, schema)),
    webhooksBehind: unlessOlderSchema(() => webhooksBehindIn(file, nowMs)),
    expiringKeys: unlessOlderSchema(() => expiringKeysIn(file, nowMs)),
    bannedCallers: callers?.banned,
    callersNearLimit: callers?.nearLimit
  }
}

/**
 * Whether there is a log although no process seems to have the file open: a killed process has left
 * it. SQLite would checkpoint it at the end of a connection that may write.
 */
const hasAbandonedLog = ({ path, logBytes, processes }: FileInfo): boolean => {
  const id = fileIdOf(path)
  const isOpen = (processes ?? []).length > 0 || (id !== undefined && connectionsTo(id) > 0)
  return logBytes > 0 && !isOpen
}

const read = (
  driver: Driver,
  fileInfo: FileInfo,
  known: ReadOptions
): Effect.Effect<StoreContents, StorageError> =>
  Effect.scoped(
    Effect.flatMap(
      openReadOnly(fileInfo.path, { driver, anySchema: true, keepLog: hasAbandonedLog(fileInfo) }),
      ({ file, schema }) =>
        Effect.try({
          try: () =>
            inTransaction(file, "DEFERRED", () =>
              contentsOf(file, schema, fileInfo.fileBytes, known)
            ),
          catch: (thrown) => failureOrThrow(thrown, `read ${fileInfo.path}`)
        })
    )
  )

/**
 * A store's schema, sizes and counts, the processes that have it open, and the webhooks, keys and
 * callers that need attention. The file is read in one snapshot, and not changed. It may be
 * read-only or of an earlier schema, and other processes may write it meanwhile. A file that can't
 * be written is copied first, unless another process has it open. Reading blocks this process, but
 * no writer.
 *
 * A file that can't be read is no failure: `contents` says why. Fails as `Unavailable` if there is
 * no file.
 */
export const status = ({
  filename,
  nowMs = wallClockMs(),
  plans = SPECIFIED_PLANS,
  ...option
}: StatusOptions): Effect.Effect<StoreStatus, StorageError> =>
  Effect.gen(function* () {
    const path = yield* Effect.suspend(() => catchStorageError(() => existingPathOf(filename)))
    if (path === undefined) {
      return yield* new StorageError({
        reason: "Unavailable",
        detail: `${filename} does not exist`
      })
    }
    const fileInfo = fileInfoOf(path)
    const driver = yield* chosenDriver(option)
    const contents = yield* Effect.either(read(driver, fileInfo, { nowMs, plans }))
    return {
      ...fileInfo,
      nowMs,
      currentSchema: SCHEMA_VERSION,
      driver: driver.name,
      contents: Either.merge(contents)
    }
  })
