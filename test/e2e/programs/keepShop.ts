/**
 * Runs a shop on FILE without end: places, completes and cancels orders, so many at a time. Says
 * what it is about to do with which order, and what was acknowledged.
 */
import { PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = "", pets = "1", seed = "1", atOnce = "16"] = process.argv.slice(2)
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })

let state = Number(seed)
const below = (bound: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * bound)
}

const order = async (): Promise<void> => {
  const petId = 1 + below(Number(pets))
  const quantity = 1 + below(3)
  const { id } = await store.orders.place({ petId, quantity, complete: below(4) === 0 })
  say("placed", id, petId, quantity)
  const next = below(3)
  if (next === 0) {
    say("completing", id)
    await store.orders.update(id, { complete: true })
    say("completed", id)
  } else if (next === 1 && !store.direct.orders.get(id).complete) {
    say("cancelling", id)
    await store.orders.cancel(id)
    say("cancelled", id)
  }
}

const worker = async (): Promise<void> => {
  for (;;) await order()
}

say("ready")
await Promise.all(Array.from({ length: Number(atOnce) }, worker))
