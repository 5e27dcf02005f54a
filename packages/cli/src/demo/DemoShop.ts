/** Fills an empty store with a believable shop, through the store's own operations, so that all of its rules hold. */
import type { OpenPetStore } from "@petstore/core"
import { INDIVIDUALS, STOCKED } from "./animals.js"

export type DemoShop = { readonly categories: number; readonly animals: number; readonly orders: number }

const DAY_MS = 86_400_000

/** Noon, UTC, some days from `nowMs`. */
const noon = (nowMs: number, days: number): string =>
  new Date((Math.floor(nowMs / DAY_MS) + days + 0.5) * DAY_MS).toISOString()

/** Shipped this many days ago. */
const daysAgo = (nowMs: number, at: number): string => noon(nowMs, -1 - ((at * 7) % 40))

/** To be shipped this many days ahead. */
const daysAhead = (nowMs: number, at: number): string => noon(nowMs, 1 + ((at * 3) % 10))

/**
 * Adds the demo shop in one transaction: 12 categories, 200 animals, stock for 62 of them, open and complete orders. The
 * same for the same store and day. Run it once: a second run adds it all again.
 */
export const fillDemoShop = (store: OpenPetStore): Promise<DemoShop> => {
  const nowMs = store.engine.nowMs()
  return store.transact(function* (tx) {
    let animals = 0
    let orders = 0

    for (const { name, description, animals: names } of INDIVIDUALS) {
      const category = yield* tx.categories.create({ name, description })
      for (const each of names) {
        const at = animals++
        const pet = yield* tx.pets.create({ name: each, categoryId: category.id })
        if (at % 8 === 3) {
          yield* tx.orders.place({ petId: pet.id, shipDate: daysAgo(nowMs, at), complete: true })
          orders++
        } else if (at % 11 === 5) {
          yield* tx.orders.place({ petId: pet.id, shipDate: daysAhead(nowMs, at) })
          orders++
        } else if (at % 29 === 12) {
          yield* tx.pets.update(pet.id, { status: "pending" }) // in quarantine, nobody has ordered it
        }
      }
    }

    for (const { name, description, stock } of STOCKED) {
      const category = yield* tx.categories.create({ name, description })
      for (const [each, units] of stock) {
        const at = animals++
        const pet = yield* tx.pets.create({ name: each, categoryId: category.id })
        yield* tx.inventory.set(pet.id, { quantity: units })
        const sold = at % 13 === 0 ? units : at % 3 === 0 ? Math.ceil(units / 4) : 0
        if (sold > 0) {
          yield* tx.orders.place({
            petId: pet.id,
            quantity: sold,
            shipDate: daysAgo(nowMs, at),
            complete: true
          })
          orders++
        }
        const left = units - sold
        if (left > 0 && at % 5 === 1) {
          const quantity = at % 2 === 0 ? left : Math.ceil(left / 6)
          yield* tx.orders.place({ petId: pet.id, quantity, shipDate: daysAhead(nowMs, at) })
          orders++
        }
      }
    }

    yield* tx.orders.place({}) // a caller who had not chosen yet
    return { categories: INDIVIDUALS.length + STOCKED.length, animals, orders: orders + 1 }
  })
}
