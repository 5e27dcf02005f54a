/** The ports in one SQLite file. */
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
import { closeWithoutCheckpoint } from "./connection/log.js"
import { NameCheck } from "./connection/NameCheck.js"
import { openFile } from "./connection/openFile.js"
import { Session } from "./connection/Session.js"
import { beforeUpgrade } from "./copy/beforeUpgrade.js"
import { DataVersion } from "./read/DataVersion.js"
import { caught, insist, insistNow } from "./base/pause.js"
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
 * A request waits no longer than this for its count while others write; it is then counted in
 * memory.
 */
const USAGE_BUSY_MS = 250

const settled = <A, E>(outcome: Outcome<A, E>): Effect.Effect<A, E | StorageError> =>
  outcome._tag === "Died" ? Effect.die(outcome.defect) : outcome.answer

const open = (
  driver: Driver,
  options: SqliteOptions,
  collections: ReadonlyArray<Collection<Row>>
) => {
  const chosen = { ...DEFAULTS, ...options, driver, collections }
  const connected = openFile(chosen)
  const { file, path, id } = connected
  const name = new NameCheck(path, id, nowMs, () => file.pragma("wal_checkpoint(PASSIVE)"))
  const guard = new ReentrancyGuard()
  const tables = new Tables(file, collections)
  const snapshot = new ReadSnapshot(file)
  const reader = new Reader(path, tables, guard, snapshot, name)
  const writer = new Writer(file, tables, guard, snapshot, {
    ...chosen,
    nowMs,
    refusal: sizeLimit(
      `${path}-wal`,
      chosen.maxLogBytes,
      () => file.pragma("wal_checkpoint(TRUNCATE)"),
      nowMs
    ),
    around: { name, session: new Session(file, path) }
  })
  const dataVersion = new DataVersion(tables, snapshot)

  const submitting =
    (busyMs: number): Context.Tag.Service<Storage>["write"] =>
    (program) =>
      Effect.async((resume) => {
        const submission = writer.submit(program, (outcome) => resume(settled(outcome)), busyMs)
        return Effect.sync(() => submission.cancel())
      })

  const usage = new UsageBuffer(
    new UsageTable(file),
    submitting(Math.min(chosen.busyMs, USAGE_BUSY_MS)),
    submitting(0)
  )

  const context = Context.empty().pipe(
    Context.add(Storage, {
      read: (program) => insist(chosen.busyMs, () => reader.run(program)),
      write: submitting(chosen.busyMs),
      isReady: () => {
        const lost = name.now()
        if (lost !== undefined) name.saveLog()
        return lost === undefined
      }
    }),
    Context.add(DirectStorage, {
      read: (program) => insistNow(chosen.directBusyMs, () => reader.run(program)),
      write: (program) => writer.runNow(program),
      dataVersion: (collections) => dataVersion.of(collections),
      withSharedSnapshot: (run) => snapshot.share(run),
      endSharedSnapshot: () => snapshot.close(),
      submit: <A, E>(program: () => Program<A, E>) =>
        new Promise<Either.Either<A, E | StorageError>>((resolve, reject) => {
          writer.submit(program, (outcome) =>
            outcome._tag === "Died" ? reject(outcome.defect) : resolve(outcome.answer)
          )
        })
    }),
    Context.add(Usage, {
      modify: (key, decide) =>
        Effect.suspend(() => {
          // So that it sees what other processes have counted.
          snapshot.close()
          return usage.modify(key, decide)
        })
    })
  )
  const close = Effect.suspend(() => {
    const waiting = writer.close()
    const shut = Effect.sync(() => {
      snapshot.close()
      if (name.now() !== undefined) name.saveLog({ isClosing: true })
      if (name.isTakenOver()) closeWithoutCheckpoint(connected)
      else connected.close()
    })
    return waiting === undefined
      ? shut
      : Effect.zipRight(
          Effect.promise(() => waiting),
          shut
        )
  })
  return { context, close: Effect.zipRight(usage.flush, close) }
}

/**
 * Opens the file, waiting for others that make, migrate or recover it. Anything else thrown is a
 * defect.
 */
const opening = (options: SqliteOptions) =>
  Effect.gen(function* () {
    const { busyMs = DEFAULTS.busyMs, filename, upgrade = DEFAULTS.upgrade } = options
    const collections = yield* Collections
    const driver = yield* chosenDriver(options)
    if (upgrade) yield* beforeUpgrade(driver, filename, busyMs)
    return yield* insist(busyMs, () => caught(() => open(driver, options, collections)))
  })

const layer = (options: SqliteOptions): DirectStorageLayer<StorageError> =>
  Layer.scopedContext(
    Effect.map(
      Effect.acquireRelease(opening(options), ({ close }) => close),
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
   * Keeps everything in one SQLite file, which several processes may have open at once. Reads wait
   * for no write. Fails with `StorageError`: to open if the file is not a whole store of this
   * version (the file is then left as it is), later as the port says. Closing stores what was
   * submitted before.
   *
   * Each call makes a layer of its own: a file opened by two layers is open twice.
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
