/** A SQL client on a store's file, for queries of the host. */
import type { SqlClient } from "@effect/sql/SqlClient"
import { Storage, type StorageError } from "@petstore/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { catchStorageError, retryWhileBusy } from "../base/retryWhileBusy.js"
import type { Driver } from "../driver/Driver.js"
import { chosenDriver, type DriverOption } from "./chosenDriver.js"
import { checkReadable } from "./checkFile.js"
import { openingFailure } from "./openingFailure.js"
import { type OpenConnection, connectTo } from "./OpenFiles.js"

/** The maximum time that opening waits for other connections, in milliseconds. */
const OPENING_MS = 5_000

/** The maximum time that a statement blocks while another connection writes, in milliseconds. */
const BLOCKING_MS = 40

/**
 * A `SqlClient` of @effect/sql on the file of an open store, for queries and tables of the host. It
 * has its own connection, with the store's driver. Its modules are loaded only if the layer is
 * used, so it costs a store nothing. It needs the storage, so that the file is created and checked
 * first.
 *
 * Read the shop's tables freely, but write them only through the store, which enforces the rules
 * and updates its counts. The store waits while a transaction of the client writes.
 */
export const client = (
  options: { readonly filename: string } & DriverOption
): Layer.Layer<SqlClient, StorageError, Storage> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      yield* Storage
      const [Client, Reactivity] = yield* Effect.promise(() =>
        Promise.all([import("@effect/sql/SqlClient"), import("@effect/experimental/Reactivity")])
      )
      return Layer.scopedContext(
        Effect.map(makeClient(options), (made) => Context.make(Client.SqlClient, made))
      ).pipe(Layer.provide(Reactivity.layer))
    })
  )

const opened = (
  driver: Driver,
  filename: string
): Effect.Effect<OpenConnection, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    retryWhileBusy(OPENING_MS, () =>
      catchStorageError(() => {
        const { path } = checkReadable(filename)
        try {
          const connected = connectTo(driver, path)
          connected.file.pragma(`busy_timeout = ${BLOCKING_MS}`)
          connected.file.pragma("user_version")
          return connected
        } catch (thrown) {
          throw openingFailure(path, thrown)
        }
      })
    ),
    ({ close }) => Effect.sync(close)
  )

const makeClient = (options: { readonly filename: string } & DriverOption) =>
  Effect.gen(function* () {
    const [Client, Statement, { sqlConnection }] = yield* Effect.promise(() =>
      Promise.all([
        import("@effect/sql/SqlClient"),
        import("@effect/sql/Statement"),
        import("./sqlConnection.js")
      ])
    )
    const { file } = yield* opened(yield* chosenDriver(options), options.filename)
    const connection = sqlConnection(file)
    // One statement or transaction at a time: there is one connection.
    const turn = yield* Effect.makeSemaphore(1)
    const transactionAcquirer = Effect.uninterruptibleMask((restore) =>
      restore(turn.take(1)).pipe(
        Effect.zipRight(Effect.addFinalizer(() => turn.release(1))),
        Effect.as(connection)
      )
    )
    return yield* Client.make({
      acquirer: turn.withPermits(1)(Effect.succeed(connection)),
      transactionAcquirer,
      compiler: Statement.makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    })
  })
