/** The pet store itself, served over node:http. */
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import type { Peer } from "./Peer.js"
import { PER_DAY, PER_MINUTE } from "./shop/accounts.js"
import { aFile } from "./shop/aFile.js"
import { seeds, STOCK } from "./shop/seeds.js"

export const petstore: Peer = async (storage) => {
  const store = await PetStore.open({
    storage: storage === "file" ? SqliteStorage.layer({ filename: aFile() }) : MemoryStorage.layer
  })
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
  // Without counters for Prometheus, as the peers have none.
  const { url, close } = await serve(store, { host: "127.0.0.1", port: 0, metrics: false })
  return {
    port: Number(new URL(url).port),
    key,
    close: async () => {
      await close()
      await store.close()
    }
  }
}
