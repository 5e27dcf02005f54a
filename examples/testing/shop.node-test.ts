// A test of a host that sells pets, under node:test: on a store of its own, with a clock and faults
// that the test decides on.
import assert from "node:assert/strict"
import { test } from "node:test"
import { openTestStore } from "@petstore/storage-memory"

const openShop = async () => {
  const store = await openTestStore({ seed: 42 })
  const fish = await store.categories.create({ name: "Fish" })
  return { store, goldie: await store.pets.create({ name: "Goldie", categoryId: fish.id }) }
}

void test("a pet that is sold can't be sold again", async () => {
  const { store, goldie } = await openShop()
  await store.orders.place({ petId: goldie.id, complete: true })
  await assert.rejects(store.orders.place({ petId: goldie.id }), { code: "insufficient_stock" })
})

void test("a sale that crashes behind its commit is made, though nobody was told", async () => {
  const { store, goldie } = await openShop()
  store.failWrite(1, "CrashAfterCommit")
  await assert.rejects(store.orders.place({ petId: goldie.id, complete: true }), {
    name: "Crashed"
  })
  assert.equal((await store.orders.get(1)).complete, true)
})

void test("a key stops working when it expires, and not a millisecond earlier", async () => {
  const { store } = await openShop()
  const account = await store.accounts.create({ name: "Ann", plan: "free" })
  const key = await store.keys.create(account.id, { expiresAt: "2026-01-02T00:00:00Z" })
  const isLetIn = async () => {
    const presented = { apiKey: [key.key], authorization: [], address: "::1" }
    return (await store.engine.authenticator.admit(presented, store.nowMs())).admitted
  }
  store.advance(86_399_999)
  assert.equal(await isLetIn(), true)
  store.advance(1)
  assert.equal(await isLetIn(), false)
})
