/** What a server does to its store before the first caller comes: a demo shop, a first key, or nothing. */
import type { OpenPetStore, Plan, Shop, TransactionFace } from "@petstore/core"
import { type DemoShop, demoShop } from "../demo/DemoShop.js"
import { hasShop } from "../store/contents.js"

export type Wishes = {
  /** Whether to fill an empty store with the demo shop, and to have a key in any case. */
  readonly demo: boolean
  /** The plan of the key. */
  readonly plan: Plan
}

export type Beginning = {
  /** The demo shop, if it was added just now. */
  readonly shop: DemoShop | undefined
  /** Whether there is anything in the shop. */
  readonly stocked: boolean
  /** A new key; undefined where accounts have been made before and no demo was asked for. */
  readonly key: string | undefined
}

/** What a key of the enterprise plan made here may do: more than one machine can ask for. */
const AGREED = { perMinute: 10_000_000, perDay: 1_000_000_000 }

/** The account of demo keys is among the first; beyond these it is not looked for. */
const FIRST_ACCOUNTS = 100

/**
 * One transaction, so that of two servers that start on one new file at once only the first fills it, and one that is killed
 * leaves all or nothing. A store that is neither empty nor without accounts is only read.
 */
export const begin = async (store: OpenPetStore, wishes: Wishes): Promise<Beginning> => {
  const { items: some } = await store.accounts.list({ limit: 1 })
  if (some.length > 0 && !wishes.demo) return { shop: undefined, stocked: true, key: undefined }
  const nowMs = store.engine.nowMs()
  return store.transact(function* (tx) {
    const kept = yield* hasShop(tx)
    const shop = wishes.demo && !kept ? yield* demoShop(tx, nowMs) : undefined
    const key = yield* firstKey(tx, wishes)
    return { shop, stocked: kept || shop !== undefined, key }
  })
}

function* firstKey(tx: TransactionFace<Shop>, { demo, plan }: Wishes) {
  const { items: accounts } = yield* tx.accounts.list({ limit: FIRST_ACCOUNTS })
  if (accounts.length > 0 && !demo) return undefined
  const name = demo ? "Demo" : "First"
  const account =
    accounts.find((each) => each.name === name && each.plan === plan) ??
    (yield* tx.accounts.create({ name, plan, ...(plan === "enterprise" ? AGREED : {}) }))
  const { key } = yield* tx.keys.create(account.id, { name: name.toLowerCase() })
  return key
}
