/** A SQL client on a store's file, for what hosts ask of it themselves. */
import { Storage, StorageError } from "@petstore/core"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import { Context, Effect, Layer } from "effect"

/** How long a statement of the client blocks while another connection writes, in milliseconds. */
const BLOCKING_MS = 40

/**
 * The `SqlClient` of @effect/sql-sqlite-node on the file of a store that is open, for queries and tables of the host's own.
 * It is a connection of its own, loaded only where it is asked for: a store does not pay for it. It needs the storage, so
 * that the file is there, checked and migrated first:
 *
 * ```ts
 * SqliteStorage.client({ filename }).pipe(Layer.provideMerge(SqliteStorage.layer({ filename })))
 * ```
 *
 * Read the shop's tables as you like; write them through the store only, which knows the rules. A transaction that writes
 * keeps the store waiting.
 */
export const client = (options: {
  readonly filename: string
}): Layer.Layer<SqlClient | SqliteClient, StorageError, Storage> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      yield* Storage
      const { layer, SqliteClient } = yield* Effect.promise(
        () => import("@effect/sql-sqlite-node/SqliteClient")
      )
      const opened = layer({ filename: options.filename }).pipe(
        Layer.tap((context) =>
          Effect.orDie(Context.get(context, SqliteClient).unsafe(`PRAGMA busy_timeout = ${BLOCKING_MS}`))
        )
      )
      return opened.pipe(
        Layer.catchAllCause((cause) =>
          Layer.fail(new StorageError({ reason: "Unavailable", detail: `open ${options.filename}`, cause }))
        )
      )
    })
  )
