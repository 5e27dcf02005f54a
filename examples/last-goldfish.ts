// Two people want the last goldfish at once; exactly one gets it.
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"

const store = await PetStore.open({ storage: MemoryStorage.layer })
const fish = await store.categories.create({ name: "Fish" })
const goldie = await store.pets.create({ name: "Goldie", categoryId: fish.id })
const buy = () => store.orders.place({ petId: goldie.id, complete: true })
for (const sale of await Promise.allSettled([buy(), buy()])) {
  console.log(sale.status === "fulfilled" ? `sold with order ${sale.value.id}` : sale.reason.name)
}
await store.close()
