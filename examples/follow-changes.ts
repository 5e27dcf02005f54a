// A cache that follows the store: loaded once, then updated by every change.
import { type Change, type Pet, PetStore, type Resync } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"

await using store = await PetStore.open({ storage: MemoryStorage.layer })
const { id: categoryId } = await store.categories.create({ name: "Fish" })
await store.pets.create({ name: "Goldie", categoryId })

const cache = new Map<number, Pet>()

/** Loads all pets. Changes made in the meantime are applied afterwards, so none is missed. */
const load = async (): Promise<void> => {
  cache.clear()
  let cursor: string | undefined
  do {
    const page = await store.pets.list(cursor === undefined ? {} : { cursor })
    for (const pet of page.items) cache.set(pet.id, pet)
    cursor = page.next
  } while (cursor !== undefined)
}

const apply = async (change: Change | Resync): Promise<void> => {
  if (change.type === "resync") await load()
  else if (change.type === "pet.deleted") cache.delete(change.recordId)
  else if (change.type === "pet.created" || change.type === "pet.updated")
    cache.set(change.recordId, change.record)
}

// First the position, then the records: a change in between is applied, not lost.
const changes = store.changes({
  after: await store.changes.last(),
  types: ["pet.created", "pet.updated", "pet.deleted"]
})
await load()
const following = (async () => {
  for await (const change of changes) {
    await apply(change)
    console.log(
      `${change.sequence} ${change.type}: ${[...cache.values()].map(({ name }) => name).join(", ")}`
    )
    if (change.type === "pet.deleted") break
  }
})()

const nemo = await store.pets.create({ name: "Nemo", categoryId })
await store.pets.update(nemo.id, { name: "Marlin" })
await store.pets.remove(1)
await following

const [created] = await store.changes.history("pet", nemo.id)
console.log(`Marlin came as ${created?.record?.name}`)
