/** The commands of `petstore keys`. */
import {
  type Account,
  type ApiKey,
  formatInstant,
  type IssuedKey,
  keyState,
  type Limits,
  type NewKeyInput,
  type OpenPetStore,
  type Plan,
  type PlanChoice
} from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { accountLimits } from "../store/accountLimits.js"
import { everyPage } from "../store/everyPage.js"
import { planChoice } from "../store/planChoice.js"
import { withNewStore, withStore } from "../store/StoreFile.js"
import { answer, answerOnce } from "../terminal/answer.js"
import { dateProblem, instantMsOf } from "../terminal/options.js"
import { notice } from "../terminal/StatusLine.js"
import { formatCount, shortTime } from "../terminal/text.js"
import { endOf, issuedJson, keyJson, keyTable } from "./show.js"

type Common = { readonly db: string; readonly json: boolean }

type NewKeyOptions = Common & {
  readonly plan: string | undefined
  readonly perMinute: number | undefined
  readonly perDay: number | undefined
  readonly name: string | undefined
  readonly account: number | undefined
  readonly expires: string | undefined
}

export const createKey = (options: NewKeyOptions): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(parseExpiry(options.expires), (expiresMs) => {
    const { plan, account, json } = options
    const print = async (store: OpenPetStore, issued: Promise<KeyAndAccount>) => {
      const [key, { plan: inForce }] = await issued
      if (expiresMs !== undefined && expiresMs <= store.engine.nowMs())
        warn("this key has expired already")
      await answerOnce(
        json,
        () => issuedJson(key, inForce),
        () => issuedText(key, inForce),
        lost(key)
      )
    }
    if (account !== undefined)
      return withStore(options.db, (store) =>
        print(store, issueTo(store, account, options, expiresMs))
      )
    if (plan === undefined)
      return Effect.fail(
        CommandFailed.usage("--plan PLAN is needed for a new account, or --account ID")
      )
    return Effect.flatMap(planChoice({ ...options, plan }), (choice) =>
      withNewStore(options.db, (store) =>
        print(store, issueToNew(store, choice, options, expiresMs))
      )
    )
  })

const warn = (line: string): void => notice(`petstore: ${line}`)

/** A key that nobody has read is useless, but still valid. */
const lost = ({ id }: IssuedKey): string =>
  `key ${id} was made, but nobody has read it; petstore keys rotate ${id} replaces it, keys ` +
  `revoke ${id} ends it`

const parseExpiry = (
  text: string | undefined
): Effect.Effect<number | undefined, CommandFailed> => {
  if (text === undefined) return Effect.succeed(undefined)
  const instantMs = instantMsOf(text)
  if (instantMs !== undefined) return Effect.succeed(instantMs)
  const expected = dateProblem(text) ?? "a date such as 2030-12-31 or 2030-12-31T18:00:00Z"
  return Effect.fail(CommandFailed.usage(`expected ${expected}, got '${text.slice(0, 40)}'`))
}

const endFields = (expiresMs: number | undefined) =>
  expiresMs === undefined ? {} : { expiresAt: formatInstant(expiresMs) }

type KeyAndAccount = readonly [IssuedKey, Account]

const keyFields = ({ name }: NewKeyOptions, expiresMs: number | undefined): NewKeyInput => ({
  ...(name === undefined ? {} : { name }),
  ...endFields(expiresMs)
})

/** One transaction, so that no account is left without its key. */
const issueToNew = (
  store: OpenPetStore,
  choice: PlanChoice,
  options: NewKeyOptions,
  expiresMs: number | undefined
): Promise<KeyAndAccount> => {
  const { name } = options
  const terms = { ...choice, ...(name === undefined ? {} : { name }) }
  return store.transact(function* (tx) {
    const account = yield* tx.accounts.create(terms)
    return [yield* tx.keys.create(account.id, keyFields(options, expiresMs)), account] as const
  })
}

const issueTo = async (
  store: OpenPetStore,
  id: number,
  options: NewKeyOptions,
  expiresMs: number | undefined
): Promise<KeyAndAccount> => {
  const account = await store.accounts.get(id)
  const limits = accountLimits(account)
  const { plan = account.plan, perMinute = limits.perMinute, perDay = limits.perDay } = options
  if (plan !== account.plan || perMinute !== limits.perMinute || perDay !== limits.perDay) {
    throw CommandFailed.because(
      `account ${id} is on the plan ${account.plan} (${limitsText(limits)}); petstore ` +
        "accounts set-plan changes that",
      "other_plan"
    )
  }
  return [await store.keys.create(id, keyFields(options, expiresMs)), account]
}

const limitsText = ({ perMinute, perDay }: Limits): string =>
  `${formatCount(perMinute)} requests a minute, ${formatCount(perDay)} a day`

const issuedText = ({ id, accountId, key, expiresAt }: IssuedKey, plan: Plan): string =>
  [
    key,
    `Key ${id} of account ${accountId}, plan ${plan}` +
      (expiresAt === undefined ? "" : `, until ${shortTime(expiresAt)} UTC`) +
      ". It is shown only now."
  ].join("\n")

export const listKeys = ({
  db,
  json,
  account
}: Common & { readonly account: number | undefined }): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    if (account !== undefined) await store.accounts.get(account)
    const keys = await everyPage(
      store.keys.list,
      account === undefined ? {} : { accountId: account }
    )
    await answer(
      json,
      () => ({ keys: keys.map(keyJson) }),
      () => (keys.length === 0 ? "There are no keys." : keyTable(keys, store.engine.nowMs()))
    )
  })

type Rotation = Common & {
  readonly id: number
  readonly overlapMs: number
  readonly expires: string | undefined
}

export const rotateKey = ({
  db,
  json,
  id,
  overlapMs,
  expires
}: Rotation): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(parseExpiry(expires), (expiresMs) =>
    withStore(db, async (store) => {
      const [key, { plan }, old] = await store.transact(function* (tx) {
        const issued = yield* tx.keys.rotate(id, { overlapMs, ...endFields(expiresMs) })
        return [issued, yield* tx.accounts.get(issued.accountId), yield* tx.keys.get(id)] as const
      })
      await answerOnce(
        json,
        () => ({ ...issuedJson(key, plan), replaces: old.id, replacedUntil: old.revokedAt }),
        () => `${issuedText(key, plan)}\n${keyLine(old, store.engine.nowMs())}`,
        lost(key)
      )
    })
  )

/** Sets when a key expires; `never` removes its expiry. */
export const expireKey = ({
  db,
  json,
  id,
  when
}: Common & { readonly id: number; readonly when: string }): Effect.Effect<void, CommandFailed> =>
  Effect.flatMap(parseExpiry(when === "never" ? undefined : when), (expiresMs) =>
    withStore(db, async (store) => {
      const expiresAt = expiresMs === undefined ? null : formatInstant(expiresMs)
      await answerWith(store, json, await store.keys.expire(id, { expiresAt }))
    })
  )

export const changeKey =
  (verb: "revoke" | "disable" | "enable") =>
  ({ db, json, id }: Common & { readonly id: number }): Effect.Effect<void, CommandFailed> =>
    withStore(db, async (store) => answerWith(store, json, await store.keys[verb](id)))

const answerWith = (store: OpenPetStore, json: boolean, key: ApiKey): Promise<void> =>
  answer(
    json,
    () => keyJson(key),
    () => keyLine(key, store.engine.nowMs())
  )

const keyLine = (key: ApiKey, nowMs: number): string => {
  const state = keyState(key, nowMs)
  const end = state === "active" ? endOf(key) : undefined
  const until = end === undefined ? "" : ` until ${shortTime(end)} UTC`
  return `Key ${key.id} (${key.start}…) of account ${key.accountId} is ${state}${until}.`
}
