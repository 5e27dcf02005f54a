/** What a server does to its store before the first caller comes: a demo shop, a first key, or nothing. */
import {
  type Account,
  formatInstant,
  type IssuedKey,
  type OpenPetStore,
  type Page,
  type Plan,
  type Shop,
  type TransactionApi
} from "@petstore/core"
import { type DemoShop, demoShop } from "../demo/DemoShop.js"
import { hasShop } from "../store/hasShop.js"

export type StartupOptions = {
  /** Whether to fill an empty store with the demo shop, and to have a key in any case. */
  readonly demo: boolean
  /** The plan of the key. */
  readonly plan: Plan
}

export type Startup = {
  /** The demo shop, if it was added just now. */
  readonly shop: DemoShop | undefined
  /** Whether there is anything in the shop. */
  readonly stocked: boolean
  /** A new key; undefined where accounts have been made before and no demo was asked for. */
  readonly key: IssuedKey | undefined
}

/** What a key of the enterprise plan made here may do: more than one machine can ask for. */
const AGREED = { perMinute: 10_000_000, perDay: 1_000_000_000 }

/** A demo key is printed at every start: it ends by itself, so that no number of them goes on working. */
const DEMO_KEY_MS = 7 * 86_400_000

/**
 * One transaction, so that of two servers that start on one new file at once only the first fills it, and one that is killed
 * leaves all or nothing. A store that is neither empty nor without accounts is only read.
 */
export const begin = async (store: OpenPetStore, wishes: StartupOptions): Promise<Startup> => {
  const { items: some } = await store.accounts.list({ limit: 1 })
  if (some.length > 0 && !wishes.demo) return { shop: undefined, stocked: true, key: undefined }
  return store.transact(function* (tx) {
    const kept = yield* hasShop(tx)
    const shop = wishes.demo && !kept ? yield* demoShop(tx) : undefined
    const key = yield* firstKey(tx, wishes)
    return { shop, stocked: kept || shop !== undefined, key }
  })
}

function* firstKey(tx: TransactionApi<Shop>, { demo, plan }: StartupOptions) {
  const some = yield* tx.accounts.list({ limit: 1 })
  if (some.items.length > 0 && !demo) return undefined
  const name = demo ? "Demo" : "First"
  const account =
    (yield* accountOf(tx, name, plan)) ??
    (yield* tx.accounts.create({ name, plan, ...(plan === "enterprise" ? AGREED : {}) }))
  return yield* tx.keys.create(account.id, {
    name: name.toLowerCase(),
    ...(demo ? { expiresAt: formatInstant(tx.nowMs + DEMO_KEY_MS) } : {})
  })
}

/** The first account of this name and plan, among all there are. */
function* accountOf(tx: TransactionApi<Shop>, name: string, plan: Plan) {
  for (let cursor: string | undefined; ; ) {
    const page: Page<Account> = yield* tx.accounts.list(cursor === undefined ? ALL : { ...ALL, cursor })
    const found = page.items.find((each) => each.name === name && each.plan === plan)
    if (found !== undefined || page.next === undefined) return found
    cursor = page.next
  }
}

const ALL = { limit: 100 }
