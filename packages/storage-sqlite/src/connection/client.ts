/** A SQL client on a store's file, for what hosts ask of it themselves. */
import { createRequire } from "node:module"
import { Storage, type StorageError } from "@petstore/core"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { caught } from "../pause.js"
import { failureOf } from "../sqliteFailure.js"
import { checkReadable } from "./checkFile.js"
import { fileIdOf, register } from "./OpenFiles.js"

/** The copy of SQLite that @effect/sql-sqlite-node opens files with. */
const libraryOfClient = (): unknown => {
  const require = createRequire(import.meta.url)
  return createRequire(require.resolve("@effect/sql-sqlite-node/SqliteClient"))("better-sqlite3")
}

/** Registers the client's connection. Fails where its copy of SQLite is another than the store's. */
const registered = (filename: string) =>
  Layer.scopedDiscard(
    Effect.acquireRelease(
      Effect.suspend(() =>
        caught(() => {
          const { path } = checkReadable(filename)
          return register(path, fileIdOf(path) ?? "", libraryOfClient())
        })
      ),
      (release) => Effect.sync(release)
    )
  )

/** How long a statement of the client blocks while another connection writes, in milliseconds. */
const BLOCKING_MS = 40

/**
 * The `SqlClient` of @effect/sql-sqlite-node on the file of a store that is open, for queries and tables of the host's own.
 * It is a connection of its own, loaded only where it is asked for: a store does not pay for it. It needs the storage, so
 * that the file is there, checked and migrated first.
 *
 * Read the shop's tables as you like; write them through the store only, which knows the rules and counts what it writes. A
 * transaction that writes keeps the store waiting.
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
      return layer({ filename: options.filename }).pipe(
        Layer.tap((context) =>
          Effect.orDieWith(
            Context.get(context, SqliteClient).unsafe(`PRAGMA busy_timeout = ${BLOCKING_MS}`),
            ({ cause }) => cause
          )
        ),
        Layer.orDie, // of a configuration that is read from elsewhere, which this is not
        Layer.catchAllCause((cause) => Layer.failCause(openingCause(options.filename, cause))),
        Layer.provide(registered(options.filename))
      )
    })
  )

/** The SQL client dies where SQLite does not open a file: that is a failure. Other defects, and interruption, stay what they are. */
const openingCause = (filename: string, cause: Cause.Cause<never>): Cause.Cause<StorageError> => {
  const [defect] = Cause.defects(cause)
  const failure = failureOf(defect, `open ${filename}`)
  return failure === undefined ? cause : Cause.fail(failure)
}
