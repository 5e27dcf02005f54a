import { type OpenPetStore, PetStore } from "@petstore/core"
import { RECORD_GROUPS } from "@petstore/core/adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, onTestFinished, test } from "vitest"
import { hasShop } from "../src/store/hasShop.js"

const openShop = async (): Promise<OpenPetStore> => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  onTestFinished(() => store.close())
  return store
}

test("a store without records has no shop, whatever accounts and keys it has", async () => {
  const store = await openShop()
  const account = await store.accounts.create({ plan: "free" })
  await store.keys.create(account.id)
  expect(await store.transact(hasShop)).toBe(false)
})

test("a single record of a type that needs no other is a shop", async () => {
  const store = await openShop()
  await store.orders.place({})
  expect(await store.transact(hasShop)).toBe(true)
})

test("the records of every type are looked for", async () => {
  const store = await openShop()
  const listed: Array<string> = []
  await store.transact(function* (tx) {
    const noting = new Proxy(tx, {
      get: (groups, name) => {
        listed.push(String(name))
        return Reflect.get(groups, name)
      }
    })
    return yield* hasShop(noting)
  })
  expect(listed).toEqual(RECORD_GROUPS)
})
