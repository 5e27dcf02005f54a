/** Opens a store in a file for a command. */
import { existsSync } from "node:fs"
import process from "node:process"
import { type OpenPetStore, PetStore, type PolicyOptions } from "@petstore/core"
import { checkMissing, SqliteStorage } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.js"
import { writeLine } from "../terminal/text.js"
import { attempt } from "./attempt.js"

/** The rules that a command sets. The others are the defaults. */
type Rules = Pick<PolicyOptions, "changeRetention" | "webhooks">

/** Opens the store until the scope ends. Creates the file if it does not exist. */
export const openStore = (
  filename: string,
  rules: Rules = {}
): Effect.Effect<OpenPetStore, CommandFailed, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(() => PetStore.open({ storage: SqliteStorage.layer({ filename }), ...rules })),
    (store) => Effect.promise(() => store.close())
  )

/** Fails if there is no file. */
export const requireStore = (filename: string): Effect.Effect<void, CommandFailed> =>
  existsSync(filename)
    ? Effect.void
    : Effect.andThen(
        // So that a log that is left, and names that mean something to SQLite, are named first.
        attempt(async () => checkMissing(filename)),
        Effect.fail(
          CommandFailed.because(
            `there is no store at ${filename}; petstore serve, seed or keys create makes ` +
              "one, --db FILE names another",
            "no_store"
          )
        )
      )

/** Runs on an existing store. */
export const withStore = <A>(
  filename: string,
  work: (store: OpenPetStore) => Promise<A>,
  rules?: Rules
): Effect.Effect<A, CommandFailed> =>
  Effect.andThen(
    requireStore(filename),
    Effect.scoped(Effect.flatMap(openStore(filename, rules), (store) => attempt(() => work(store))))
  )

/** Runs on a store, which is created if it does not exist. */
export const withNewStore = <A>(
  filename: string,
  work: (store: OpenPetStore) => Promise<A>,
  rules?: Rules
): Effect.Effect<A, CommandFailed> =>
  Effect.suspend(() => {
    const isNew = !existsSync(filename)
    return Effect.scoped(
      Effect.flatMap(openStore(filename, rules), (store) => {
        if (isNew) writeLine(process.stderr, `petstore: made a new store, ${filename}`)
        return attempt(() => work(store))
      })
    )
  })
