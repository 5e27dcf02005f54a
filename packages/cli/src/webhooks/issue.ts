/** `petstore webhooks add` and `rotate`, which print a signing secret once. */
import type { Webhook } from "@petstore/core"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { withStore } from "../store/StoreFile.js"
import { answerOnce } from "../terminal/answer.js"
import { type AddressRules, addressPolicy } from "./addressRules.js"
import { parseTypes } from "./changeTypes.js"
import { ensureSecret } from "./secretFile.js"
import { issuedText } from "./show.js"

type SecretOptions = {
  readonly db: string
  readonly json: boolean
  /** The file with the secret for webhooks; undefined for the default one. */
  readonly file: string | undefined
}

/** The options that the server needs too: it applies its own rules when it sends. */
const allowedBy = ({ allowHttp, allowPrivate }: AddressRules): string => {
  const flags = [
    ...(allowHttp ? ["--allow-http-webhooks"] : []),
    ...(allowPrivate ? ["--allow-private-webhooks"] : [])
  ]
  return flags.length === 0 ? "" : ` with ${flags.join(" ")}`
}

/** The secret is not stored, so a secret that nobody has read must be replaced. */
const lost = ({ id }: Webhook): string =>
  `webhook ${id} has a new secret, but nobody has read it; petstore webhooks rotate ${id} ` +
  "makes another one"

export const addWebhook = ({
  url,
  types,
  file,
  db,
  json,
  ...rules
}: SecretOptions &
  AddressRules & {
    readonly url: string
    readonly types: ReadonlyArray<string>
  }): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(parseTypes(types), (changeTypes) => {
    const secret = () => ensureSecret({ db, file })
    return withStore(
      db,
      async (store) => {
        const webhook = await store.webhooks.create({ url, ...changeTypes })
        await answerOnce(
          json,
          () => webhook,
          () =>
            issuedText(
              webhook,
              `Webhook ${webhook.id} is sent changes from now on, while the store is ` +
                `served${allowedBy(rules)}.`
            ),
          lost(webhook)
        )
      },
      { webhooks: { ...addressPolicy(rules), secret } }
    )
  })

export const rotateSecret = ({
  db,
  json,
  id,
  file,
  overlapMs
}: SecretOptions & {
  readonly id: number
  readonly overlapMs: number | undefined
}): Effect.Effect<void, CommandFailed> =>
  withStore(
    db,
    async (store) => {
      const webhook = await store.webhooks.rotate(id, overlapMs === undefined ? {} : { overlapMs })
      await answerOnce(
        json,
        () => webhook,
        () => issuedText(webhook, `Webhook ${id} has a new secret.`),
        lost(webhook)
      )
    },
    { webhooks: { secret: () => ensureSecret({ db, file }) } }
  )
