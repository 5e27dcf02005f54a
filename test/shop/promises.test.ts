import { formatInstant, NotFound, PetStore, StoreClosed } from "@petstore/core"
import { toNodeHandler, toWebHandler } from "@petstore/http-adapter"
import { deliverWebhooks } from "@petstore/http-adapter/webhooks"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { handClock } from "./handClock.js"
import { STORAGES, temporaryFolder } from "./storages.js"

test("all of a transaction happens at one moment, which its steps can ask for, however long it takes", async () => {
  let readings = 0
  const { clock } = handClock(Date.UTC(2026, 10, 28))
  const ticking = {
    ...clock,
    unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + readings++
  }
  await using store = await PetStore.open({ storage: MemoryStorage.layer, clock: ticking })
  const { nowMs, account, key } = await store.transact(function* (tx) {
    const account = yield* tx.accounts.create({ plan: "free" })
    const expiresAt = formatInstant(tx.nowMs + 1_000)
    return { nowMs: tx.nowMs, account, key: yield* tx.keys.create(account.id, { expiresAt }) }
  })
  expect(account.createdAt).toBe(formatInstant(nowMs))
  expect(key.createdAt).toBe(formatInstant(nowMs))
  expect(Date.parse(key.expiresAt ?? "") - Date.parse(key.createdAt)).toBe(1_000)
})

describe.each(STORAGES)("a store $name", ({ openShop }) => {
  test("with a signal that is aborted already rejects with its reason, and nothing is written", async () => {
    const { store, category } = await openShop()
    const reason = new Error("the caller has left")
    const aborted = store.withSignal(AbortSignal.abort(reason))
    await expect(aborted.pets.create({ name: "Rex", categoryId: category.id })).rejects.toBe(reason)
    await expect(aborted.pets.get(1)).rejects.toBe(reason)
    await expect(aborted.limits.get(1)).rejects.toBe(reason)
    await expect(aborted.transact((tx) => tx.categories.create({ name: "Cats" }))).rejects.toBe(
      reason
    )
    expect((await store.pets.list()).items).toHaveLength(1)
    expect((await store.categories.list()).items).toHaveLength(1)
  })

  test("with a signal that is never aborted is the same store, refusals included", async () => {
    const { store, category } = await openShop()
    const watched = store.withSignal(new AbortController().signal)
    const rex = await watched.pets.create({ name: "Rex", categoryId: category.id })
    expect(await store.pets.get(rex.id)).toEqual(rex)
    await expect(watched.pets.get(99)).rejects.toBeInstanceOf(NotFound)
  })

  test("finishes on closing what was asked before, and takes nothing afterwards", async () => {
    const { store, category } = await openShop()
    const placed = Array.from({ length: 20 }, (_, at) =>
      store.pets.create({ name: `Fish ${at}`, categoryId: category.id })
    )
    const closed = store.close()
    const late = store.categories.create({ name: "Cats" })
    await expect(late).rejects.toBeInstanceOf(StoreClosed)
    expect((await Promise.all(placed)).map((pet) => pet.id)).toEqual(placed.map((_, at) => at + 2))
    await closed
    await store.close()
  })
})

test("writes of a file store that wait for their turn are called off by a signal, and nothing of them is written", async () => {
  const filename = join(temporaryFolder(), "pets.db")
  const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
  onTestFinished(() => store.close())
  const controller = new AbortController()
  const watched = store.withSignal(controller.signal)
  const under = Array.from({ length: 5 }, (_, at) =>
    watched.categories.create({ name: `Kind ${at}` })
  )
  controller.abort()
  const outcomes = await Promise.allSettled(under)
  const made = outcomes.filter(({ status }) => status === "fulfilled").length
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toBe(controller.signal.reason)
  expect((await store.categories.list()).items).toHaveLength(made)
})

/** What programs in JavaScript, which no compiler reads, hand in by mistake. */
const untyped: { readonly [mistake: string]: unknown } = {
  "no storage": {},
  "a storage instead of its layer": { storage: MemoryStorage },
  "a factory instead of what it makes": { storage: SqliteStorage.layer }
}

test.each(Object.entries(untyped))(
  "opening a store with %s says what was expected",
  async (_mistake, options) => {
    await expect(PetStore.open(options as never)).rejects.toThrow(
      /^storage: expected MemoryStorage\.layer/
    )
  }
)

test.each(Object.entries({ toNodeHandler, toWebHandler, deliverWebhooks }))(
  "%s says that a store is to be opened first where it gets the promise of one",
  async (_name, take: (store: never) => unknown) => {
    const opening = PetStore.open({ storage: MemoryStorage.layer })
    expect(() => take(opening as never)).toThrow("expected an open store: await PetStore.open(…)")
    await (await opening).close()
  }
)

test("stores side by side have nothing in common", async () => {
  await using one = await PetStore.open({ storage: MemoryStorage.layer })
  await using other = await PetStore.open({ storage: MemoryStorage.layer })
  await one.categories.create({ name: "Cats" })
  expect((await other.categories.list()).items).toEqual([])
  await one.close()
  expect(await other.categories.create({ name: "Dogs" })).toMatchObject({ id: 1 })
})
