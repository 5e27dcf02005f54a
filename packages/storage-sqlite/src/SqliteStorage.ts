/** Implements the ports of core with one SQLite file. */
import {
  type Collection,
  Collections,
  DirectStorage,
  type DirectStorageLayer,
  type Program,
  type Row,
  Storage,
  type StorageError,
  Usage
} from "@petstore/core/storage"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { client } from "./connection/client.js"
import { chosenDriver } from "./connection/chosenDriver.js"
import type { Driver } from "./driver/Driver.js"
import { closeWithoutCheckpoint } from "./connection/LogFiles.js"
import { NameCheck } from "./connection/NameCheck.js"
import { openFile } from "./connection/openFile.js"
import { Session } from "./connection/Session.js"
import { beforeUpgrade } from "./copy/beforeUpgrade.js"
import { DataVersion } from "./read/DataVersion.js"
import { catchStorageError, retryWhileBusy, retryWhileBusyBlocking } from "./base/retryWhileBusy.js"
import { Reader } from "./read/Reader.js"
import type { Outcome } from "./write/Submission.js"
import { Tables } from "./table/Tables.js"
import { monotonicMs as nowMs } from "./base/timers.js"
import { ReentrancyGuard } from "./base/ReentrancyGuard.js"
import { UsageBuffer } from "./usage/UsageBuffer.js"
import { UsageTable } from "./usage/UsageTable.js"
import { ReadSnapshot } from "./read/ReadSnapshot.js"
import { sizeLimit } from "./wal/sizeLimit.js"
import { Writer } from "./write/Writer.js"
import { DEFAULTS, type SqliteOptions } from "./SqliteOptions.js"

/**
 * How long a request waits for the write lock to store its count. If no other process has committed
 * in that time, it is then counted in memory.
 */
const USAGE_BUSY_MS = 250

const resultOf = <A, E>(outcome: Outcome<A, E>): Effect.Effect<A, E | StorageError> =>
  outcome._tag === "Died" ? Effect.die(outcome.defect) : outcome.result

const open = (
  driver: Driver,
  options: SqliteOptions,
  collections: ReadonlyArray<Collection<Row>>
) => {
  const settings = { ...DEFAULTS, ...options, driver, collections }
  const connected = openFile(settings)
  const { file, path, id } = connected
  const nameCheck = new NameCheck(path, id, nowMs, () => file.pragma("wal_checkpoint(PASSIVE)"))
  const guard = new ReentrancyGuard()
  const tables = new Tables(file, collections)
  const snapshot = new ReadSnapshot(file)
  const reader = new Reader(path, tables, guard, snapshot, nameCheck)
  const writer = new Writer(file, tables, guard, snapshot, {
    ...settings,
    nowMs,
    checkLogSize: sizeLimit(
      `${path}-wal`,
      settings.maxLogBytes,
      () => file.pragma("wal_checkpoint(TRUNCATE)"),
      nowMs
    ),
    identity: { nameCheck, session: new Session(file, path) }
  })
  const dataVersion = new DataVersion(tables, snapshot)

  const submitWith =
    (busyMs: number): Context.Tag.Service<Storage>["write"] =>
    (program) =>
      Effect.async((resume) => {
        const submission = writer.submit(program, (outcome) => resume(resultOf(outcome)), busyMs)
        return Effect.sync(() => submission.cancel())
      })

  const usage = new UsageBuffer(
    new UsageTable(file),
    () => tables.dataVersion(),
    submitWith(Math.min(settings.busyMs, USAGE_BUSY_MS)),
    submitWith(0)
  )

  const context = Context.empty().pipe(
    Context.add(Storage, {
      read: (program) => retryWhileBusy(settings.busyMs, () => reader.run(program)),
      write: submitWith(settings.busyMs),
      isReady: () => {
        const lost = nameCheck.check()
        if (lost !== undefined) nameCheck.salvageLog()
        return lost === undefined
      }
    }),
    Context.add(DirectStorage, {
      read: (program) => retryWhileBusyBlocking(settings.directBusyMs, () => reader.run(program)),
      write: (program) => writer.runNow(program),
      dataVersion: (collections) => dataVersion.of(collections),
      withSharedSnapshot: (run) => snapshot.share(run),
      endSharedSnapshot: () => snapshot.close(),
      submit: <A, E>(program: () => Program<A, E>) =>
        new Promise<Either.Either<A, E | StorageError>>((resolve, reject) => {
          writer.submit(program, (outcome) =>
            outcome._tag === "Died" ? reject(outcome.defect) : resolve(outcome.result)
          )
        })
    }),
    Context.add(Usage, {
      modify: (key, decide) =>
        Effect.suspend(() => {
          // A new snapshot sees the counts of other processes.
          snapshot.close()
          return usage.modify(key, decide)
        })
    })
  )
  const close = Effect.suspend(() => {
    const drained = writer.close()
    const closeFile = Effect.sync(() => {
      snapshot.close()
      if (nameCheck.check() !== undefined) nameCheck.salvageLog({ isClosing: true })
      if (nameCheck.isLogReplaced()) closeWithoutCheckpoint(connected)
      else connected.close()
    })
    return drained === undefined
      ? closeFile
      : Effect.zipRight(
          Effect.promise(() => drained),
          closeFile
        )
  })
  return { context, close: Effect.zipRight(usage.flush, close) }
}

/**
 * Opens the file, and retries while other processes create, migrate or recover it. Anything thrown
 * but a `StorageError` is a defect.
 */
const openWithRetry = (options: SqliteOptions) =>
  Effect.gen(function* () {
    const { busyMs = DEFAULTS.busyMs, filename, upgrade = DEFAULTS.upgrade } = options
    const collections = yield* Collections
    const driver = yield* chosenDriver(options)
    if (upgrade) yield* beforeUpgrade(driver, filename, busyMs)
    return yield* retryWhileBusy(busyMs, () =>
      catchStorageError(() => open(driver, options, collections))
    )
  })

const layer = (options: SqliteOptions): DirectStorageLayer<StorageError> =>
  Layer.scopedContext(
    Effect.map(
      Effect.acquireRelease(openWithRetry(options), ({ close }) => close),
      ({ context }) => context
    )
  )

const layerConfig = (
  options: Config.Config.Wrap<SqliteOptions>
): DirectStorageLayer<StorageError | ConfigError.ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))

/** Storage in one SQLite file. */
export const SqliteStorage = {
  /**
   * Stores everything in one SQLite file, which several processes may have open at once. Reads
   * never wait for writes. Opening fails with `StorageError` if the file is not a complete store of
   * this version, and leaves the file unchanged; later failures are those of the port. Closing
   * first stores the programs that were submitted before.
   *
   * Each call makes a new layer: two layers of one file open it twice.
   */
  layer,
  /**
   * The same with each option from a `Config`.
   *
   * @example
   * SqliteStorage.layerConfig({
   *   filename: Config.string("FILE"),
   *   busyMs: Config.withDefault(Config.integer("BUSY_MS"), 5_000)
   * })
   */
  layerConfig,
  /** An `SqlClient` of @effect/sql on the same file, for queries of the host. */
  client
}
