/** The pet store, filled as every shop of the benchmark is. */
import { type OpenOptions, PetStore } from "@petstore/core"
import { PER_DAY, PER_MINUTE } from "./shop/accounts.js"
import { seeds, STOCK } from "./shop/seeds.js"

export const filledStore = async (storage: OpenOptions["storage"]) => {
  const store = await PetStore.open({ storage })
  const account = await store.accounts.create({
    plan: "enterprise",
    perMinute: PER_MINUTE,
    perDay: PER_DAY
  })
  const { key } = await store.keys.create(account.id)
  await store.categories.create({ name: "Dogs" })
  await store.transact(function* (tx) {
    for (const pet of seeds()) {
      const { id } = yield* tx.pets.create(pet)
      if (pet.status === "available") yield* tx.inventory.set(id, { quantity: STOCK })
    }
  })
  return { store, key }
}
