/** A store in a file, as commands open it: for as long as they need it, and with one line for each way that goes wrong. */
import { existsSync } from "node:fs"
import process from "node:process"
import { type OpenPetStore, PetStore, type WebhookOptions } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.js"
import { writeLine } from "../terminal/text.js"
import { attempt } from "./attempt.js"

/** Opens the store, making the file if it is not there; closed with the scope. */
export const openedStore = (
  filename: string,
  webhooks: WebhookOptions = {}
): Effect.Effect<OpenPetStore, CommandFailed, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(() => PetStore.open({ storage: SqliteStorage.layer({ filename }), webhooks })),
    (store) => Effect.promise(() => store.close())
  )

/** Works on a store that is there. */
export const withStore = <A>(
  filename: string,
  work: (store: OpenPetStore) => Promise<A>,
  webhooks?: WebhookOptions
): Effect.Effect<A, CommandFailed> =>
  existsSync(filename)
    ? Effect.scoped(Effect.flatMap(openedStore(filename, webhooks), (store) => attempt(() => work(store))))
    : Effect.fail(
        CommandFailed.because(
          `there is no store at ${filename}; petstore serve, seed or keys create makes one, --db FILE names another`
        )
      )

/** Works on a store, which is made if it is not there. */
export const withNewStore = <A>(
  filename: string,
  work: (store: OpenPetStore) => Promise<A>
): Effect.Effect<A, CommandFailed> =>
  Effect.suspend(() => {
    const isNew = !existsSync(filename)
    return Effect.scoped(
      Effect.flatMap(openedStore(filename), (store) => {
        if (isNew) writeLine(process.stderr, `petstore: made a new store, ${filename}`)
        return attempt(() => work(store))
      })
    )
  })
