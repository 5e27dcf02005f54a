/** A store in a file, as commands open it: for as long as they need it, and with one line for each way that goes wrong. */
import { existsSync } from "node:fs"
import process from "node:process"
import { type OpenPetStore, PetStore, type PolicyOptions } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.js"
import { writeLine } from "../terminal/text.js"
import { attempt } from "./attempt.js"

/** What a command has to say of the store's rules; for the rest they are the built-in ones. */
type Rules = Pick<PolicyOptions, "changeRetention" | "webhooks">

/** Opens the store, making the file if it is not there; closed with the scope. */
export const openedStore = (
  filename: string,
  rules: Rules = {}
): Effect.Effect<OpenPetStore, CommandFailed, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(() => PetStore.open({ storage: SqliteStorage.layer({ filename }), ...rules })),
    (store) => Effect.promise(() => store.close())
  )

/** Succeeds where there is a store, or at least a file. */
export const storeIsAt = (filename: string): Effect.Effect<void, CommandFailed> =>
  existsSync(filename)
    ? Effect.void
    : Effect.fail(
        CommandFailed.because(
          `there is no store at ${filename}; petstore serve, seed or keys create makes one, --db FILE names another`,
          "no_store"
        )
      )

/** Works on a store that is there. */
export const withStore = <A>(
  filename: string,
  work: (store: OpenPetStore) => Promise<A>,
  rules?: Rules
): Effect.Effect<A, CommandFailed> =>
  Effect.andThen(
    storeIsAt(filename),
    Effect.scoped(Effect.flatMap(openedStore(filename, rules), (store) => attempt(() => work(store))))
  )

/** Works on a store, which is made if it is not there. */
export const withNewStore = <A>(
  filename: string,
  work: (store: OpenPetStore) => Promise<A>,
  rules?: Rules
): Effect.Effect<A, CommandFailed> =>
  Effect.suspend(() => {
    const isNew = !existsSync(filename)
    return Effect.scoped(
      Effect.flatMap(openedStore(filename, rules), (store) => {
        if (isNew) writeLine(process.stderr, `petstore: made a new store, ${filename}`)
        return attempt(() => work(store))
      })
    )
  })
