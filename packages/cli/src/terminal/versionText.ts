/** What `petstore --version` prints. */
import * as Effect from "effect/Effect"

/** The version, and in a second line the SQLite that stores are opened by. */
export const versionText = (version: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const { driverInfo } = yield* Effect.promise(() => import("@petstore/storage-sqlite"))
    return yield* Effect.match(driverInfo(), {
      onSuccess: ({ driver, sqliteVersion }) =>
        `${version}\nSQLite ${sqliteVersion}, driver ${driver}`,
      onFailure: ({ detail }) => `${version}\nno SQLite: ${detail}`
    })
  })
