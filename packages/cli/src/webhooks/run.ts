/** What the commands of `petstore webhooks` do. */
import {
  type ChangeType,
  CHANGE_TYPES,
  type OpenPetStore,
  type Webhook,
  type WebhookReplay
} from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { everyPage } from "../store/everyPage.js"
import { withStore } from "../store/StoreFile.js"
import { answer, answerOnce } from "../terminal/answer.js"
import { madeSecret } from "./secretFile.js"
import { attemptTable, issuedText, standing, webhookTable, webhookText } from "./show.js"

type Common = { readonly db: string; readonly json: boolean }
type OfOne = Common & { readonly id: number }
type Where = { readonly allowHttp: boolean; readonly allowPrivate: boolean }

const isType = (type: string): type is ChangeType => CHANGE_TYPES.some((each) => each === type)

/** Absent where none is named: then all types are meant. */
const typesAsked = (
  types: ReadonlyArray<string>
): Effect.Effect<{ readonly types?: ReadonlyArray<ChangeType> }, CommandFailed> => {
  const wrong = types.find((type) => !isType(type))
  if (wrong !== undefined)
    return Effect.fail(
      CommandFailed.usage(`--type: expected one of ${CHANGE_TYPES.join(", ")}, got '${wrong.slice(0, 40)}'`)
    )
  return Effect.succeed(types.length === 0 ? {} : { types: [...new Set(types.filter(isType))] })
}

/** What a server has to be told too, where more is allowed here than it allows by itself: it decides when it sends. */
const allowedBy = ({ allowHttp, allowPrivate }: Where): string => {
  const flags = [
    ...(allowHttp ? ["--allow-http-webhooks"] : []),
    ...(allowPrivate ? ["--allow-private-webhooks"] : [])
  ]
  return flags.length === 0 ? "" : ` with ${flags.join(" ")}`
}

const rulesOf = ({ allowHttp, allowPrivate }: Where) => ({ allowHttp, allowPrivateAddresses: allowPrivate })

/** The secret is not stored: who has not read it needs another one. */
const lost = ({ id }: Webhook): string =>
  `webhook ${id} has a new secret, but nobody has read it; petstore webhooks rotate ${id} makes another one`

export const addWebhook = ({
  url,
  types,
  file,
  db,
  json,
  ...where
}: Common &
  Where & {
    readonly url: string
    readonly types: ReadonlyArray<string>
    readonly file: string | undefined
  }): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(typesAsked(types), (options) => {
    const secret = () => madeSecret({ db, file })
    return withStore(
      db,
      async (store) => {
        const webhook = await store.webhooks.create({ url, ...options })
        await answerOnce(
          json,
          () => webhook,
          () =>
            issuedText(
              webhook,
              `Webhook ${webhook.id} is sent changes from now on, while the store is served${allowedBy(where)}.`
            ),
          lost(webhook)
        )
      },
      { webhooks: { ...rulesOf(where), secret } }
    )
  })

export const listWebhooks = ({ db, json }: Common): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const webhooks = await everyPage(store.webhooks.list, {})
    await answer(
      json,
      () => ({ webhooks }),
      () => (webhooks.length === 0 ? "There are no webhooks." : webhookTable(webhooks))
    )
  })

const latest = async (store: OpenPetStore, id: number | undefined, limit: number) => {
  const query = { sort: "-id", limit }
  return (await store.webhooks.attempts(id === undefined ? query : { ...query, webhookId: id })).items
}

/** So many attempts are shown with a webhook. */
const SHOWN_ATTEMPTS = 10

export const showWebhook = ({ db, json, id }: OfOne): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const webhook = await store.webhooks.get(id)
    const attempts = await latest(store, id, SHOWN_ATTEMPTS)
    await answer(
      json,
      () => ({ ...webhook, attempts }),
      async () =>
        attempts.length === 0
          ? webhookText(webhook)
          : `${webhookText(webhook)}\n${await attemptTable(attempts)}`
    )
  })

export const updateWebhook = ({
  db,
  json,
  id,
  url,
  types,
  allTypes,
  ...where
}: OfOne &
  Where & {
    readonly url: string | undefined
    readonly types: ReadonlyArray<string>
    readonly allTypes: boolean
  }): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(typesAsked(types), (options) => {
    if (allTypes && options.types !== undefined)
      return Effect.fail(CommandFailed.usage("--type and --all-types exclude each other"))
    const patch = {
      ...(url === undefined ? {} : { url }),
      ...(allTypes ? { types: null } : options)
    }
    if (Object.keys(patch).length === 0)
      return Effect.fail(CommandFailed.usage("nothing to change: give --url, --type or --all-types"))
    return withStore(db, async (store) => answerWith(json, await store.webhooks.update(id, patch)), {
      webhooks: rulesOf(where)
    })
  })

export const changeWebhook = (
  verb: "enable" | "disable",
  { db, json, id }: OfOne
): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => answerWith(json, await store.webhooks[verb](id)))

export const removeWebhook = ({ db, json, id }: OfOne): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    await store.webhooks.remove(id)
    await answer(
      json,
      () => ({ id, removed: true }),
      () => `Webhook ${id} is forgotten.`
    )
  })

export const rotateSecret = ({
  db,
  json,
  id,
  file,
  overlapMs
}: OfOne & {
  readonly file: string | undefined
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
    { webhooks: { secret: () => madeSecret({ db, file }) } }
  )

export const showLog = ({
  db,
  json,
  id,
  limit
}: Common & { readonly id: number | undefined; readonly limit: number }): Effect.Effect<
  void,
  CommandFailed
> =>
  withStore(db, async (store) => {
    if (id !== undefined) await store.webhooks.get(id)
    const attempts = await latest(store, id, limit)
    await answer(
      json,
      () => ({ attempts }),
      () => (attempts.length === 0 ? "Nothing was sent yet." : attemptTable(attempts))
    )
  })

export const replayMessages = ({
  db,
  json,
  id,
  from,
  only
}: OfOne & {
  readonly from: number | undefined
  readonly only: number | undefined
}): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(replayAsked(from, only), (options) =>
    withStore(db, async (store) => answerWith(json, await store.webhooks.replay(id, options)))
  )

const replayAsked = (
  from: number | undefined,
  only: number | undefined
): Effect.Effect<WebhookReplay, CommandFailed> => {
  if (from !== undefined && only === undefined) return Effect.succeed({ from })
  if (only !== undefined && from === undefined) return Effect.succeed({ only })
  return Effect.fail(CommandFailed.usage("give either --from N or --only N"))
}

const answerWith = (json: boolean, webhook: Webhook): Promise<void> =>
  answer(
    json,
    () => webhook,
    () =>
      `Webhook ${webhook.id} is ${standing(webhook)}; delivered are all changes up to ${webhook.deliveredTo}.`
  )
