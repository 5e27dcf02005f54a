// The same store for programs written with Effect: refusals are in the error channel, and the
// storage is a layer.
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const store = yield* PetStore
  const { id } = yield* store.categories.create({ name: "Birds" })
  const parrot = yield* store.pets.create({ name: "Coco", categoryId: id })
  yield* store.inventory.set(parrot.id, { quantity: 2 })
  yield* store.orders
    .place({ petId: parrot.id, quantity: 3 })
    .pipe(
      Effect.catchTag("InsufficientStock", ({ wanted, forSale }) =>
        Console.log(`${wanted} wanted, ${forSale} for sale`)
      )
    )
})

await program.pipe(
  Effect.provide(PetStore.layer().pipe(Layer.provide(MemoryStorage.layer))),
  Effect.runPromise
)
