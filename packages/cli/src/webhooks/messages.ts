/** `petstore webhooks log` and `replay`. */
import type { WebhookReplay } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { latestAttempts } from "./attempts.js"
import { answerWith, attemptTable } from "./show.js"

type Common = { readonly db: string; readonly json: boolean }

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
    const attempts = await latestAttempts(store, id, limit)
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
}: Common & {
  readonly id: number
  readonly from: number | undefined
  readonly only: number | undefined
}): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(parseReplay(from, only), (replay) =>
    withStore(db, async (store) => answerWith(json, await store.webhooks.replay(id, replay)))
  )

const parseReplay = (
  from: number | undefined,
  only: number | undefined
): Effect.Effect<WebhookReplay, CommandFailed> => {
  if (from !== undefined && only === undefined) return Effect.succeed({ from })
  if (only !== undefined && from === undefined) return Effect.succeed({ only })
  return Effect.fail(CommandFailed.usage("give either --from N or --only N"))
}
