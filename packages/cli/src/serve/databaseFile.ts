/** Opens the database file of a server, with its options for webhooks and for the feed. */
import type { OpenPetStore } from "@petstore/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CommandFailed } from "../CommandFailed.js"
import { retentionOf } from "../store/retention.js"
import type { ServeOptions } from "./ServeOptions.js"

export const databaseFile = (
  filename: string,
  { webhookSecretFile, allowHttpWebhooks, allowPrivateWebhooks, ...options }: ServeOptions
): Effect.Effect<OpenPetStore, CommandFailed, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() =>
      Promise.all([import("../store/StoreFile.js"), import("../webhooks/secretFile.js")])
    ),
    ([{ openStore }, { readableSecret }]) =>
      openStore(filename, {
        changeRetention: retentionOf(options),
        webhooks: {
          secret: readableSecret({ db: filename, file: webhookSecretFile }),
          allowHttp: allowHttpWebhooks,
          allowPrivateAddresses: allowPrivateWebhooks
        }
      })
  )
