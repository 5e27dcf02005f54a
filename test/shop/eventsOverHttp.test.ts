/**
 * The feed over HTTP on each storage: readers who come and go while it is written, and what an id
 * is worth elsewhere and later.
 */
import { join } from "node:path"
import { type OpenPetStore, PetStore } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import {
  type FollowedEvent,
  petStoreClient,
  type ShopEvent,
  webTransport
} from "@petstore/http-adapter/client"
import { openTestStore } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { describe, expect, onTestFinished, test } from "vitest"
import { STORAGES, temporaryFolder } from "./storages.js"

/** A client of the store with a key of its own. */
const clientOf = async (store: OpenPetStore) => {
  const account = await store.accounts.create({
    name: "reader",
    plan: "enterprise",
    perMinute: 10_000,
    perDay: 100_000
  })
  const { key } = await store.keys.create(account.id, {})
  return petStoreClient({
    transport: webTransport(toWebHandler(store)),
    key,
    sleep: async () => undefined
  })
}

const take = async <A>(events: AsyncIterable<A>, count: number): Promise<ReadonlyArray<A>> => {
  const taken: Array<A> = []
  for await (const event of events) if (taken.push(event) === count) break
  return taken
}

/** Some of everything, refusals among it. */
const keepShop = async (store: OpenPetStore, rounds: number): Promise<void> => {
  const { categories, pets, inventory, orders } = store
  for (let round = 0; round < rounds; round++) {
    const category = await categories.create({ name: `Kind ${round}` })
    const pet = await pets.create({ name: `Pet ${round}`, categoryId: category.id })
    await inventory.set(pet.id, { quantity: 1 })
    await orders.place({ petId: pet.id, complete: true })
    await orders.place({ petId: pet.id }).catch(() => undefined)
    await store
      .transact(function* (tx) {
        yield* tx.pets.update(pet.id, { name: "never" })
        yield* tx.pets.get(999_999)
      })
      .catch(() => undefined)
    await categories.remove((await categories.create({ name: "Gone" })).id)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const fileStore = async (filename: string): Promise<OpenPetStore> => {
  const store = await PetStore.open({
    storage: SqliteStorage.layer({ filename, durability: "relaxed" })
  })
  onTestFinished(() => store.close())
  return store
}

describe.each(STORAGES)("$name", ({ openShop }) => {
  test("a reader that reconnects after every few events, during writes, gets each change once and in order", async () => {
    const { store } = await openShop()
    const client = await clientOf(store)
    const writing = keepShop(store, 40)
    const events: Array<FollowedEvent<ShopEvent>> = []
    let after: number | string = 0
    for (let turn = 0; events.length < 200; turn++) {
      events.push(...(await take(client.events({ after }), 1 + ((turn * 7) % 23))))
      after = events.at(-1)?.id ?? after
    }
    await writing
    const told = events.map(({ id, ...event }) => {
      expect(id).toMatch(new RegExp(`^[0-9a-f]{16}-${event.sequence}$`))
      return event
    })
    const page = await store.changes.page({ limit: told.length })
    if (!Array.isArray(page)) throw new Error("no page")
    expect(told).toEqual(
      page.map(({ before: _before, accountId: _account, requestId: _request, ...rest }) => rest)
    )
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, at) => at + 1))
  })

  test("an id that says nothing here makes one resync, and what is written from then on follows", async () => {
    const { store } = await openShop()
    const client = await clientOf(store)
    const writing = keepShop(store, 30)
    const [first, ...others] = await take(client.events({ after: "0123-4" }), 60)
    await writing
    expect(first?.type).toBe("resync")
    const from = (first?.sequence ?? 0) + 1
    expect(others.map(({ type, sequence }) => [type === "resync", sequence])).toEqual(
      others.map((_, at) => [false, from + at])
    )
  })
})

describe("in a file", () => {
  test("changes of another process are sent too", async () => {
    const filename = join(temporaryFolder(), "pets.db")
    const [ours, theirs] = [await fileStore(filename), await fileStore(filename)]
    const client = await clientOf(ours)
    const taken = take(client.events({ after: 0, types: ["category.created"] }), 2)
    await ours.categories.create({ name: "Dogs" })
    await theirs.categories.create({ name: "Cats" })
    expect((await taken).map((event) => event.type !== "resync" && event.record.name)).toEqual([
      "Dogs",
      "Cats"
    ])
  })

  test("an id resumes at its position after a restart, and is invalid in another store", async () => {
    const filename = join(temporaryFolder(), "pets.db")
    const before = await fileStore(filename)
    await before.categories.create({ name: "Dogs" })
    await before.categories.create({ name: "Cats" })
    const [first] = await take((await clientOf(before)).events({ after: 0 }), 1)
    await before.close()
    const client = await clientOf(await fileStore(filename))
    const after = first?.id ?? ""
    expect(await take(client.events({ after }), 1)).toMatchObject([
      { sequence: 2, record: { name: "Cats" } }
    ])
    const other = await fileStore(join(temporaryFolder(), "other.db"))
    for (const name of ["Fish", "Birds"]) await other.categories.create({ name })
    const [told] = await take((await clientOf(other)).events({ after }), 1)
    expect(told).toMatchObject({ type: "resync", sequence: 2 })
  })
})

describe("the feed of a store for tests over HTTP", () => {
  test("a reader gets one resync when the store is reset to an earlier state, and then the next changes", async () => {
    const store = await openTestStore()
    onTestFinished(() => store.close())
    const client = await clientOf(store)
    const snapshot = await store.snapshot()
    await store.categories.create({ name: "Dogs" })
    const events = client.events({ after: 0 })[Symbol.asyncIterator]()
    const next = async () => (await events.next()).value
    const first = await next()
    expect(first).toMatchObject({ sequence: 1, record: { name: "Dogs" } })
    await store.restore(snapshot)
    // As far as before and further, so that its position alone is not enough.
    for (const name of ["Cats", "Birds"]) await store.categories.create({ name })
    expect(await next()).toMatchObject({ type: "resync", sequence: 2 })
    await store.categories.create({ name: "Fish" })
    const last = await next()
    expect(last).toMatchObject({ sequence: 3, record: { name: "Fish" } })
    expect(last?.id).not.toBe(first?.id.replace(/1$/, "3"))
    await events.return?.()
  })
})
