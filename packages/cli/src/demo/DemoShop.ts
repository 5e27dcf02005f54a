/** Fills an empty store with a demo shop, through the operations of the store. */
import type { OpenPetStore, TransactionApi } from "@petstore/core"
import type { Shop } from "@petstore/core/adapter"
import { INDIVIDUALS, STOCKED } from "./animals.js"

/** The number of records in the demo shop. */
export type DemoShop = {
  readonly categories: number
  readonly animals: number
  readonly orders: number
}

const DAY_MS = 86_400_000

/** Noon UTC, `days` after the day of `nowMs`. */
const noon = (nowMs: number, days: number): string =>
  new Date((Math.floor(nowMs / DAY_MS) + days + 0.5) * DAY_MS).toISOString()

/** A past ship date. */
const daysAgo = (nowMs: number, at: number): string => noon(nowMs, -1 - ((at * 7) % 40))

/** A future ship date. */
const daysAhead = (nowMs: number, at: number): string => noon(nowMs, 1 + ((at * 3) % 10))

/** The animals in the order in which they are added. */
const ANIMALS: ReadonlyArray<{
  readonly kind: number
  readonly name: string
  readonly units?: number
}> = [
  ...INDIVIDUALS.flatMap(({ animals }, kind) => animals.map((name) => ({ kind, name }))),
  ...STOCKED.flatMap(({ stock }, at) =>
    stock.map(([name, units]) => ({ kind: INDIVIDUALS.length + at, name, units }))
  )
]

type Tx = TransactionApi<Shop>

/** Adds a single animal: sold, ordered, pending or available. Returns the number of its orders. */
function* addIndividual(tx: Tx, name: string, categoryId: number, at: number) {
  const pet = yield* tx.pets.create({ name, categoryId })
  if (at % 8 === 3) {
    yield* tx.orders.place({ petId: pet.id, shipDate: daysAgo(tx.nowMs, at), complete: true })
    return 1
  }
  if (at % 11 === 5) {
    yield* tx.orders.place({ petId: pet.id, shipDate: daysAhead(tx.nowMs, at) })
    return 1
  }
  if (at % 29 === 12) yield* tx.pets.update(pet.id, { status: "pending" })
  return 0
}

/** Adds a stocked animal, partly sold and on order. Returns the number of its orders. */
function* addStocked(tx: Tx, name: string, units: number, categoryId: number, at: number) {
  const { id: petId } = yield* tx.pets.create({ name, categoryId })
  yield* tx.inventory.set(petId, { quantity: units })
  const sold = at % 13 === 0 ? units : at % 3 === 0 ? Math.ceil(units / 4) : 0
  if (sold > 0) {
    yield* tx.orders.place({
      petId,
      quantity: sold,
      shipDate: daysAgo(tx.nowMs, at),
      complete: true
    })
  }
  const left = units - sold
  const isOrdered = left > 0 && at % 5 === 1
  if (isOrdered) {
    const quantity = at % 2 === 0 ? left : Math.ceil(left / 6)
    yield* tx.orders.place({ petId, quantity, shipDate: daysAhead(tx.nowMs, at) })
  }
  return (sold > 0 ? 1 : 0) + (isOrdered ? 1 : 0)
}

/** Adds the categories. Returns their ids. */
export function* addCategories(tx: Tx) {
  const ids: Array<number> = []
  for (const { name, description } of [...INDIVIDUALS, ...STOCKED]) {
    ids.push((yield* tx.categories.create({ name, description })).id)
  }
  return ids
}

/**
 * Adds `count` animals from index `from` on, with their stock and orders. After the last one they
 * repeat with a number in the name. Returns the number of orders.
 */
export function* addAnimals(
  tx: Tx,
  categories: ReadonlyArray<number>,
  from: number,
  count: number
) {
  let orders = 0
  for (let at = from; at < from + count; at++) {
    const animal = ANIMALS[at % ANIMALS.length]
    const categoryId = animal && categories[animal.kind]
    if (animal === undefined || categoryId === undefined)
      throw new Error("addAnimals: no such kind")
    const round = Math.floor(at / ANIMALS.length) + 1
    const name = round === 1 ? animal.name : `${animal.name} ${round}`
    orders +=
      animal.units === undefined
        ? yield* addIndividual(tx, name, categoryId, at)
        : yield* addStocked(tx, name, animal.units, categoryId, at)
  }
  return orders
}

/**
 * Adds the demo shop in one transaction: 12 categories, 200 animals, stock for 62 of them, open and
 * complete orders. The result is the same for the same store and day. A second call adds it again.
 */
export const fillDemoShop = (store: OpenPetStore): Promise<DemoShop> => store.transact(demoShop)

/** The same as steps of a transaction. */
export function* demoShop(tx: Tx) {
  const categories = yield* addCategories(tx)
  const orders = yield* addAnimals(tx, categories, 0, ANIMALS.length)
  yield* tx.orders.place({}) // a caller who had not chosen yet
  return { categories: categories.length, animals: ANIMALS.length, orders: orders + 1 }
}
