/** `petstore seed`: fills a store that has no shop yet. */
import process from "node:process"
import type { OpenPetStore } from "@petstore/core"
import type * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { addAnimals, addCategories, type DemoShop, demoShop } from "../demo/DemoShop.js"
import { hasShop } from "../store/hasShop.js"
import { type RetentionOptions, retentionOf } from "../store/retention.js"
import { withNewStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { StatusLine } from "../terminal/StatusLine.js"
import { formatCount } from "../terminal/text.js"

type SeedOptions = RetentionOptions & {
  readonly db: string
  readonly json: boolean
  readonly count: number | undefined
}

/** Animals in one transaction. More need fewer disk syncs, but block other writers for longer. */
const BATCH = 2_000

export const seed = ({
  db,
  json,
  count,
  ...options
}: SeedOptions): Effect.Effect<void, CommandFailed> =>
  withNewStore(
    db,
    async (store) => {
      const startedMs = performance.now()
      const shop = await (count === undefined ? seedDemo(store, db) : seedMany(store, db, count))
      const seconds = Math.round(performance.now() - startedMs) / 1_000
      await answer(
        json,
        () => ({ file: db, ...shop, seconds }),
        () =>
          `${db} has ${shop.categories} categories, ${formatCount(shop.animals)} animals and ` +
          `${formatCount(shop.orders)} orders now. It took ${seconds.toFixed(1)} s.`
      )
    },
    { changeRetention: retentionOf(options) }
  )

const notEmpty = (db: string): CommandFailed =>
  CommandFailed.because(
    `there is a shop in ${db} already; seed fills a new or empty store, --db FILE names another`,
    "not_empty"
  )

const seedDemo = (store: OpenPetStore, db: string): Promise<DemoShop> =>
  store.transact(function* (tx) {
    if (yield* hasShop(tx)) throw notEmpty(db)
    return yield* demoShop(tx)
  })

const seedMany = async (store: OpenPetStore, db: string, count: number): Promise<DemoShop> => {
  const startedMs = performance.now()
  let animals = 0
  let orders = 0
  const line = new StatusLine(process.stderr, () => {
    const rate = (animals / (performance.now() - startedMs)) * 1_000
    return (
      `${formatCount(animals)} of ${formatCount(count)} animals, ` +
      `${formatCount(Math.round(rate))} a second`
    )
  })
  try {
    const categories = await store.transact(function* (tx) {
      if (yield* hasShop(tx)) throw notEmpty(db)
      return yield* addCategories(tx)
    })
    while (animals < count) {
      const batch = Math.min(BATCH, count - animals)
      orders += await store.transact((tx) => addAnimals(tx, categories, animals, batch))
      animals += batch
    }
    return { categories: categories.length, animals, orders }
  } finally {
    line.end()
  }
}
