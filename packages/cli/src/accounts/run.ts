/** The commands of `petstore accounts`. */
import type { Account } from "@petstore/core"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { keyJson, keyTable } from "../keys/show.js"
import { everyPage } from "../store/everyPage.js"
import { type PlanOptions, planChoice } from "../store/planChoice.js"
import { withNewStore, withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { accountJson, accountTable } from "./show.js"

type Common = { readonly db: string; readonly json: boolean }
type OfOne = Common & { readonly id: number }

const answerWith = (json: boolean, account: Account): Promise<void> =>
  answer(
    json,
    () => accountJson(account),
    () => accountTable([account])
  )

export const listAccounts = ({ db, json }: Common): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const accounts = await everyPage(store.accounts.list, {})
    await answer(
      json,
      () => ({ accounts: accounts.map(accountJson) }),
      () => (accounts.length === 0 ? "There are no accounts." : accountTable(accounts))
    )
  })

export const showAccount = ({ db, json, id }: OfOne): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const account = await store.accounts.get(id)
    const keys = await everyPage(store.keys.list, { accountId: id })
    await answer(
      json,
      () => ({ ...accountJson(account), keys: keys.map(keyJson) }),
      async () => {
        const ofKeys =
          keys.length === 0 ? "It has no keys." : await keyTable(keys, store.engine.nowMs())
        return `${await accountTable([account])}\n${ofKeys}`
      }
    )
  })

export const createAccount = (
  options: Common & PlanOptions & { readonly name: string | undefined }
): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(planChoice(options), (choice) =>
    withNewStore(options.db, async (store) => {
      const name = options.name === undefined ? {} : { name: options.name }
      await answerWith(options.json, await store.accounts.create({ ...choice, ...name }))
    })
  )

export const changePlan = (options: OfOne & PlanOptions): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(planChoice(options), (choice) =>
    withStore(options.db, async (store) =>
      answerWith(options.json, await store.accounts.setPlan(options.id, choice))
    )
  )

export const unbanAccount = ({ db, json, id }: OfOne): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const { bannedUntilMs } = await store.limits.get(id)
    await store.limits.unban(id)
    await answer(
      json,
      () => ({ id, wasBanned: bannedUntilMs !== null }),
      () => `Account ${id} ${bannedUntilMs === null ? "was not banned" : "is no longer banned"}.`
    )
  })
