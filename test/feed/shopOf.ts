/** All that a shop has, and what its feed of changes makes of an empty store. */
import { type OpenPetStore, PetStore } from "@petstore/core"
import { replayChange } from "@petstore/core/adapter"
import {
  EVERY_ROW,
  categories,
  changes,
  type Collection,
  inventory,
  orders,
  pets,
  type Row,
  scan
} from "@petstore/core/storage"
import { MemoryStorage } from "@petstore/storage-memory"
import { Either } from "effect"

const rowsOf = async <R extends Row>(
  store: OpenPetStore,
  collection: Collection<R>
): Promise<ReadonlyArray<R>> =>
  Either.getOrThrow(
    await store.engine.read(() => scan(collection, EVERY_ROW, { limit: 1_000_000 }))
  )

/** Every row of every kind of record, and of the feed. */
export const shopOf = async (store: OpenPetStore) => ({
  categories: await rowsOf(store, categories),
  pets: await rowsOf(store, pets),
  inventory: await rowsOf(store, inventory),
  orders: await rowsOf(store, orders),
  changes: await rowsOf(store, changes)
})

/** The same of an empty store in memory on which every change of this one was made again. */
export const replayedShopOf = async (store: OpenPetStore): ReturnType<typeof shopOf> => {
  const copy = await PetStore.open({ storage: MemoryStorage.layer })
  for (const row of await rowsOf(store, changes)) await copy.engine.write(() => replayChange(row))
  const shop = await shopOf(copy)
  await copy.close()
  return shop
}

/** 1, 2, 3 and so on. */
export const upTo = (last: number): ReadonlyArray<number> =>
  Array.from({ length: last }, (_, at) => at + 1)
