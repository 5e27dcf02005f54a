/** Prepares the store of a server: adds the demo shop, the first key, or nothing. */
import {
  type Account,
  formatInstant,
  type IssuedKey,
  type OpenPetStore,
  type Page,
  type Plan,
  type TransactionApi
} from "@petstore/core"
import type { Shop } from "@petstore/core/adapter"
import { type DemoShop, demoShop } from "../demo/DemoShop.js"
import { hasShop } from "../store/hasShop.js"

export type StartupOptions = {
  /** Whether to fill an empty store with the demo shop, and to create a key in any case. */
  readonly demo: boolean
  /** The plan of the key. */
  readonly plan: Plan
}

export type Startup = {
  /** The demo shop, if it was just added. */
  readonly shop: DemoShop | undefined
  /** Whether the shop has any records. */
  readonly stocked: boolean
  /** A new key; undefined if the store has accounts and the demo is off. */
  readonly key: IssuedKey | undefined
}

/** The limits of an enterprise key that is created here: more than one machine can send. */
const ENTERPRISE_LIMITS = { perMinute: 10_000_000, perDay: 1_000_000_000 }

/** A demo key is printed at every start. It expires, so that old ones do not pile up. */
const DEMO_KEY_MS = 7 * 86_400_000

/**
 * Runs in one transaction: of two servers that start on a new file at once, only the first fills
 * it, and a server that is killed leaves all or nothing. A store with accounts is only read, unless
 * the demo is on.
 */
export const startup = async (store: OpenPetStore, options: StartupOptions): Promise<Startup> => {
  const { items } = await store.accounts.list({ limit: 1 })
  if (items.length > 0 && !options.demo) return { shop: undefined, stocked: true, key: undefined }
  return store.transact(function* (tx) {
    const hadShop = yield* hasShop(tx)
    const shop = options.demo && !hadShop ? yield* demoShop(tx) : undefined
    const key = yield* firstKey(tx, options)
    return { shop, stocked: hadShop || shop !== undefined, key }
  })
}

function* firstKey(tx: TransactionApi<Shop>, { demo, plan }: StartupOptions) {
  const { items } = yield* tx.accounts.list({ limit: 1 })
  if (items.length > 0 && !demo) return undefined
  const name = demo ? "Demo" : "First"
  const account =
    (yield* findAccount(tx, name, plan)) ??
    (yield* tx.accounts.create({ name, plan, ...(plan === "enterprise" ? ENTERPRISE_LIMITS : {}) }))
  return yield* tx.keys.create(account.id, {
    name: name.toLowerCase(),
    ...(demo ? { expiresAt: formatInstant(tx.nowMs + DEMO_KEY_MS) } : {})
  })
}

/** The first account of this name and plan. */
function* findAccount(tx: TransactionApi<Shop>, name: string, plan: Plan) {
  for (let cursor: string | undefined; ;) {
    const page: Page<Account> = yield* tx.accounts.list(
      cursor === undefined ? ALL : { ...ALL, cursor }
    )
    const account = page.items.find((each) => each.name === name && each.plan === plan)
    if (account !== undefined || page.next === undefined) return account
    cursor = page.next
  }
}

const ALL = { limit: 100 }
