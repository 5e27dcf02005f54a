/** Claims on the library in memory. */
import { PetStore } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import { type Claim, expectCode, expectSame } from "./Claim.js"

const open = () => PetStore.open({ storage: MemoryStorage.layer })

export const library: ReadonlyArray<Claim> = [
  {
    claim: "of two who want the last goldfish, one gets it",
    check: async () => {
      const store = await open()
      const fish = await store.categories.create({ name: "Fish" })
      const goldie = await store.pets.create({ name: "Goldie", categoryId: fish.id })
      const buy = () => store.orders.place({ petId: goldie.id, complete: true })
      const sales = await Promise.allSettled([buy(), buy()])
      expectSame(
        sales.map((sale) => (sale.status === "fulfilled" ? sale.value.id : sale.reason.code)),
        [1, "insufficient_stock"]
      )
      await store.close()
    }
  },
  {
    claim: "changes are told in order, and end with the store",
    check: async () => {
      const store = await open()
      const told: Array<string> = []
      const following = (async () => {
        for await (const change of store.changes({ after: 0 })) {
          told.push(`${change.sequence} ${change.type}`)
          if (change.sequence === 3) await store.close()
        }
      })()
      const { id } = await store.categories.create({ name: "Fish" })
      await store.pets.create({ name: "Nemo", categoryId: id })
      await store.pets.update(1, { name: "Marlin" })
      await following
      expectSame(told, ["1 category.created", "2 pet.created", "3 pet.updated"])
    }
  },
  {
    claim: "a transaction that refuses stores nothing",
    check: async () => {
      const store = await open()
      const refused = store.transact(function* (tx) {
        const { id } = yield* tx.categories.create({ name: "Fish" })
        yield* tx.pets.create({ name: "Nemo", categoryId: id + 1 })
      })
      await expectCode(refused, "unknown_category")
      expectSame((await store.categories.list()).items, [])
      await store.close()
    }
  },
  {
    claim: "the direct API answers at once",
    check: async () => {
      const store = await open()
      const fish = store.direct.categories.create({ name: "Fish" })
      expectSame(store.direct.categories.get(fish.id).name, "Fish")
      await store.close()
    }
  },
  {
    claim: "test stores of one seed make the same key, and their clock stands still",
    check: async () => {
      const keyOf = async (seed: number) => {
        const store = await openTestStore({ seed })
        const { id } = await store.accounts.create({ name: "Ann", plan: "free" })
        const { key, createdAt } = await store.keys.create(id)
        await store.close()
        return [key, createdAt]
      }
      const first = await keyOf(42)
      expectSame(await keyOf(42), first)
      if ((await keyOf(43))[0] === first[0]) throw new Error("another seed made the same key")
    }
  }
]
