// Several steps as one transaction: if one is refused, nothing is stored.
import { NotFound, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"

await using store = await PetStore.open({ storage: MemoryStorage.layer })

const litter = await store.transact(function* (tx) {
  const cats = yield* tx.categories.create({ name: "Cats" })
  const mother = yield* tx.pets.create({ name: "Minka", categoryId: cats.id })
  const kittens = yield* tx.pets.create({ name: "Kittens of Minka", categoryId: cats.id })
  yield* tx.inventory.set(kittens.id, { quantity: 4 })
  return { mother, kittens }
})
console.log(`${litter.mother.name} is ${litter.mother.status}; kittens for sale: 4`)

try {
  await store.transact(function* (tx) {
    yield* tx.orders.place({ petId: litter.kittens.id, quantity: 4 })
    return yield* tx.pets.get(99)
  })
} catch (error) {
  console.log(error instanceof NotFound ? `refused: ${error.message}` : error)
}
console.log(`still for sale: ${(await store.inventory.get(litter.kittens.id)).quantity}`)
