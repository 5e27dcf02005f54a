/** `petstore webhooks list`, `show`, `update`, `enable`, `disable` and `remove`. */
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { everyPage } from "../store/everyPage.js"
import { withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { type AddressRules, addressPolicy } from "./addressRules.js"
import { latestAttempts } from "./attempts.js"
import { parseTypes } from "./changeTypes.js"
import { answerWith, attemptTable, webhookTable, webhookText } from "./show.js"

type Common = { readonly db: string; readonly json: boolean }
type OfOne = Common & { readonly id: number }

export const listWebhooks = ({ db, json }: Common): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const webhooks = await everyPage(store.webhooks.list, {})
    await answer(
      json,
      () => ({ webhooks }),
      () => (webhooks.length === 0 ? "There are no webhooks." : webhookTable(webhooks))
    )
  })

/** Attempts shown with a webhook. */
const SHOWN_ATTEMPTS = 10

export const showWebhook = ({ db, json, id }: OfOne): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const webhook = await store.webhooks.get(id)
    const attempts = await latestAttempts(store, id, SHOWN_ATTEMPTS)
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
  ...rules
}: OfOne &
  AddressRules & {
    readonly url: string | undefined
    readonly types: ReadonlyArray<string>
    readonly allTypes: boolean
  }): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(parseTypes(types), (changeTypes) => {
    if (allTypes && changeTypes.types !== undefined)
      return Effect.fail(CommandFailed.usage("--type and --all-types exclude each other"))
    const patch = {
      ...(url === undefined ? {} : { url }),
      ...(allTypes ? { types: null } : changeTypes)
    }
    if (Object.keys(patch).length === 0)
      return Effect.fail(
        CommandFailed.usage("nothing to change: give --url, --type or --all-types")
      )
    return withStore(
      db,
      async (store) => answerWith(json, await store.webhooks.update(id, patch)),
      {
        webhooks: addressPolicy(rules)
      }
    )
  })

export const changeWebhook =
  (verb: "enable" | "disable") =>
  ({ db, json, id }: OfOne): Effect.Effect<void, CommandFailed> =>
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
