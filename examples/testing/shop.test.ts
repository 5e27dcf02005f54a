// A test of a host that sells pets, under vitest: on a store of its own, with a clock and faults
// that the test decides on.
import { StorageError } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import { openTestStore } from "@petstore/storage-memory"
import { beforeEach, expect, test } from "vitest"

const empty = await openTestStore({ seed: 42 })
const fish = await empty.categories.create({ name: "Fish" })
await empty.pets.create({ name: "Goldie", categoryId: fish.id })
const filled = await empty.snapshot()
const store = empty

beforeEach(() => store.restore(filled))

test("a pet that is sold can't be sold again", async () => {
  await store.orders.place({ petId: 1, complete: true })
  await expect(store.orders.place({ petId: 1 })).rejects.toMatchObject({
    code: "insufficient_stock"
  })
})

test("each test finds the shop as it was", async () => {
  expect(await store.pets.get(1)).toMatchObject({ name: "Goldie", status: "available" })
})

test("a busy storage is reported, and nothing is sold", async () => {
  store.failWrite(1, "Busy")
  await expect(store.orders.place({ petId: 1, complete: true })).rejects.toBeInstanceOf(
    StorageError
  )
  expect((await store.orders.list()).items).toEqual([])
})

test("after 60 requests a minute, a free account waits for the next one", async () => {
  const account = await store.accounts.create({ name: "Ann", plan: "free" })
  const { key } = await store.keys.create(account.id)
  const handler = toWebHandler(store)
  const status = async () =>
    (await handler(new Request("http://shop.test/pets", { headers: { "x-api-key": key } }))).status
  for (let request = 1; request <= 60; request++) expect(await status()).toBe(200)
  expect(await status()).toBe(429)
  await store.advanceToNextReset(account.id)
  expect(await status()).toBe(200)
})
