/** The store in a file, as a server opens it: with what webhooks need. */
import type { OpenPetStore } from "@petstore/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CommandFailed } from "../CommandFailed.js"
import type { ServeOptions } from "./ServeOptions.js"

export const inFile = (
  filename: string,
  { webhookSecretFile, allowHttpWebhooks, allowPrivateWebhooks }: ServeOptions
): Effect.Effect<OpenPetStore, CommandFailed, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("../store/StoreFile.js"), import("../webhooks/secretFile.js")])),
    ([{ openedStore }, { knownSecret }]) =>
      openedStore(filename, {
        secret: knownSecret({ db: filename, file: webhookSecretFile }),
        allowHttp: allowHttpWebhooks,
        allowPrivateAddresses: allowPrivateWebhooks
      })
  )
