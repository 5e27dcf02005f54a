import { getEventListeners } from "node:events"
import { type Change, NotFound, type OpenPetStore, type Resync } from "@petstore/core"
import { runOnce } from "@petstore/core/adapter"
import { programOf } from "@petstore/core/storage"
import { changesStream } from "@petstore/core/changes"
import { openTestStore } from "@petstore/storage-memory"
import { Effect, Either, Fiber, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { STORAGES } from "./storages.js"

/** Every change there is. */
const all = async (store: OpenPetStore): Promise<ReadonlyArray<Change>> => {
  const page = await store.changes.page({ limit: 1_000 })
  if ("type" in page) throw new Error("a page from the oldest on needs no resync")
  return page
}

const types = async (store: OpenPetStore): Promise<ReadonlyArray<string>> =>
  (await all(store)).map(({ type }) => type)

/** The next so many changes of the reader. */
const take = async (
  reader: AsyncIterator<Change | Resync, undefined>,
  count: number
): Promise<ReadonlyArray<Change | Resync>> => {
  const told: Array<Change | Resync> = []
  while (told.length < count) {
    const next = await reader.next()
    if (next.done === true) break
    told.push(next.value)
  }
  return told
}

const sequences = (told: ReadonlyArray<Change | Resync>): ReadonlyArray<number> =>
  told.map(({ sequence }) => sequence)

describe.each(STORAGES)("changes $name", ({ openShop }) => {
  test("every change of a record is in the feed, with the record before and after it and its revision", async () => {
    const { store, pet } = await openShop()
    await store.pets.update(pet.id, { name: "Nemo" })
    await store.pets.remove(pet.id)
    const told = await all(store)
    expect(told.map(({ at: _at, ...rest }) => rest)).toEqual([
      {
        sequence: 1,
        type: "category.created",
        recordId: 1,
        revision: 1,
        record: { id: 1, name: "Fish" }
      },
      { sequence: 2, type: "pet.created", recordId: 1, revision: 1, record: pet },
      {
        sequence: 3,
        type: "pet.updated",
        recordId: 1,
        revision: 2,
        record: { ...pet, name: "Nemo" },
        before: pet
      },
      { sequence: 4, type: "pet.deleted", recordId: 1, before: { ...pet, name: "Nemo" } }
    ])
    for (const { at } of told) expect(at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  test("one operation appends a change for each of its writes, in their order", async () => {
    const { store, pet } = await openShop()
    await store.inventory.set(pet.id, { quantity: 1 })
    const { id } = await store.orders.place({ petId: pet.id })
    await store.orders.update(id, { complete: true })
    await store.orders.cancel((await store.orders.place({})).id)
    expect((await types(store)).slice(2)).toEqual([
      "inventory.created",
      "inventory.depleted",
      "pet.updated",
      "order.placed",
      "inventory.updated",
      "pet.updated",
      "order.completed",
      "order.placed",
      "order.cancelled"
    ])
  })

  test("an order that is placed complete changes its stock once, without a state in between", async () => {
    const { store, pet } = await openShop()
    await store.orders.place({ petId: pet.id, complete: true })
    const [, , sold, ...rest] = await all(store)
    expect(sold).toMatchObject({
      type: "pet.updated",
      revision: 2,
      record: { ...pet, status: "sold" },
      before: pet
    })
    await store.inventory.set(pet.id, { quantity: 2 })
    await store.orders.place({ petId: pet.id, complete: true })
    expect(rest.map(({ type }) => type)).toEqual(["order.placed"])
    expect((await types(store)).slice(4)).toEqual([
      "inventory.created",
      "pet.updated",
      "inventory.updated",
      "order.placed"
    ])
  })

  test("removing a pet appends the deletion of its inventory entry", async () => {
    const { store, pet } = await openShop()
    await store.inventory.set(pet.id, { quantity: 3 })
    await store.pets.remove(pet.id)
    expect((await types(store)).slice(-2)).toEqual(["inventory.deleted", "pet.deleted"])
  })

  test("what is refused leaves no change, and the next one has the next number", async () => {
    const { store, pet } = await openShop()
    await expect(store.pets.create({ name: "Rex", categoryId: 9 })).rejects.toThrow()
    await expect(
      store.transact(function* (tx) {
        yield* tx.pets.create({ name: "Rex", categoryId: 1 })
        yield* tx.pets.get(99)
      })
    ).rejects.toBeInstanceOf(NotFound)
    await store.pets.remove(pet.id)
    expect(sequences(await all(store))).toEqual([1, 2, 3])
  })

  test("the steps of a transaction are changes one after the other, of one moment", async () => {
    const { store } = await openShop()
    await store.transact(function* (tx) {
      const pet = yield* tx.pets.create({ name: "Rex", categoryId: 1 })
      yield* tx.inventory.set(pet.id, { quantity: 2 })
    })
    const told = (await all(store)).slice(2)
    expect(told.map(({ type }) => type)).toEqual(["pet.created", "inventory.created"])
    expect(new Set(told.map(({ at }) => at)).size).toBe(1)
  })

  test("a replayed response is no change", async () => {
    const { store } = await openShop()
    const context = { nowMs: store.engine.nowMs() }
    const attempt = { scope: "who", fingerprint: "what", nowMs: context.nowMs }
    const create = () =>
      runOnce(
        store.engine,
        attempt,
        programOf(() => store.engine.shop.categories.create.program(context, { name: "Dogs" })),
        (outcome) => JSON.stringify(Either.isRight(outcome))
      )
    await create()
    await create()
    expect(await types(store)).toEqual(["category.created", "pet.created", "category.created"])
  })

  test("a change names the account and the request that asked", async () => {
    const { store } = await openShop()
    const context = { nowMs: store.engine.nowMs(), accountId: 7, requestId: "req-1" }
    await store.engine.write(() =>
      store.engine.shop.categories.create.program(context, { name: "Dogs" })
    )
    expect((await all(store)).at(-1)).toMatchObject({ accountId: 7, requestId: "req-1" })
    expect((await all(store))[0]).not.toHaveProperty("accountId")
  })

  test("accounts and keys are not in the feed", async () => {
    const { store } = await openShop()
    const account = await store.accounts.create({ name: "Till", plan: "free" })
    await store.keys.create(account.id, {})
    expect(await store.changes.last()).toBe(2)
  })

  test("the history of a record is its own, newest last, in pages backwards", async () => {
    const { store, pet } = await openShop()
    await store.inventory.set(pet.id, { quantity: 1 })
    for (const name of ["a", "b", "c"]) await store.pets.update(pet.id, { name })
    const history = await store.changes.history("pet", pet.id)
    expect(history.map(({ type, record }) => [type, record?.name])).toEqual([
      ["pet.created", "Goldie"],
      ["pet.updated", "a"],
      ["pet.updated", "b"],
      ["pet.updated", "c"]
    ])
    const last = await store.changes.history("pet", pet.id, { limit: 2 })
    expect(last).toEqual(history.slice(2))
    const [first] = last
    expect(await store.changes.history("pet", pet.id, { before: first?.sequence ?? 0 })).toEqual(
      history.slice(0, 2)
    )
    expect(await store.changes.history("order", pet.id)).toEqual([])
    expect((await store.changes.history("inventory", pet.id)).map(({ type }) => type)).toEqual([
      "inventory.created"
    ])
  })

  test("a reader gets the stored changes and then new ones, without a gap or a repeat", async () => {
    const { store, shop } = await openShop()
    const reader = store.changes({ after: 0 })
    expect(sequences(await take(reader, 2))).toEqual([1, 2])
    const waiting = take(reader, 300)
    for (let number = 0; number < 100; number++) {
      await store.categories.create({ name: "Dogs" })
      shop.categories.create({ name: "Dogs" })
      shop.categories.create({ name: "Dogs" })
    }
    expect(sequences(await waiting)).toEqual(Array.from({ length: 300 }, (_, at) => at + 3))
  })

  test("without a place a reader begins with what comes after the call", async () => {
    const { store, shop } = await openShop()
    const reader = store.changes()
    shop.categories.create({ name: "Dogs" })
    expect(sequences(await take(reader, 1))).toEqual([3])
  })

  test("a reader of some types gets only those", async () => {
    const { store, pet } = await openShop()
    const reader = store.changes({ after: 0, types: ["pet.updated"] })
    const waiting = reader.next()
    await store.pets.update(pet.id, { name: "Nemo" })
    const { value } = await waiting
    expect(value?.type === "pet.updated" && value.record.name).toBe("Nemo")
  })

  test("leaving an iteration ends a pull that is waiting", async () => {
    const { store } = await openShop()
    const reader = store.changes()
    const waiting = reader.next()
    await reader.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await reader.next()).toEqual({ done: true, value: undefined })
  })

  test("closing the store ends iterations", async () => {
    const { store } = await openShop()
    const waiting = store.changes().next()
    await store.close()
    expect((await waiting).done).toBe(true)
    expect(() => store.changes()).toThrow("closed")
  })

  test("a signal ends an iteration with its reason, also one that is waiting", async () => {
    const { store } = await openShop()
    const controller = new AbortController()
    const reader = store.changes({ signal: controller.signal })
    const waiting = reader.next()
    controller.abort(new Error("enough"))
    await expect(waiting).rejects.toThrow("enough")
    expect(await reader.next()).toEqual({ done: true, value: undefined })
    await expect(async () => store.withSignal(controller.signal).changes.last()).rejects.toThrow(
      "enough"
    )
  })

  test("a signal has one listener however many iterations wait for it, and none after them", async () => {
    const { store } = await openShop()
    const controller = new AbortController()
    const listeners = () => getEventListeners(controller.signal, "abort").length
    const readers = Array.from({ length: 50 }, () => store.changes({ signal: controller.signal }))
    const waiting = readers.map((reader) => reader.next())
    await expect.poll(listeners).toBe(1)
    await store.categories.create({ name: "Dogs" })
    await Promise.all(waiting)
    expect(listeners()).toBe(0)
  })

  test("several pulls at once are answered in order", async () => {
    const { store, shop } = await openShop()
    const reader = store.changes()
    const pulls = [reader.next(), reader.next(), reader.next()]
    for (const name of ["a", "b", "c"]) shop.categories.create({ name })
    expect((await Promise.all(pulls)).map(({ value }) => value?.sequence)).toEqual([3, 4, 5])
  })

  test.each([
    { count: 10, most: 10 + 63 },
    { count: 12_800, most: 12_800 + 127 }
  ])(
    "the store keeps the last $count changes where it is told so, or few more",
    async ({ count, most }) => {
      const { store } = await openShop({ changeRetention: { count, ageMs: Infinity } })
      for (const creates of [count + 500, 300, 41, 64]) {
        await store.transact(function* (tx) {
          for (let number = 0; number < creates; number++)
            yield* tx.categories.create({ name: "Dogs" })
        })
        const last = await store.changes.last()
        const isKept = async (sequence: number) =>
          !("type" in (await store.changes.page({ after: sequence - 1, limit: 1 })))
        expect(await isKept(last)).toBe(true)
        expect(await isKept(last - count + 1)).toBe(true)
        expect(await isKept(last - most)).toBe(false)
      }
    }
  )

  test("bounds that keep nothing, or say nothing, are refused", async () => {
    for (const [count, ageMs] of [
      [0, 1_000],
      [Number.NaN, 1_000],
      [10, -1],
      [10, Number.NaN]
    ] as const)
      await expect(openShop({ changeRetention: { count, ageMs } })).rejects.toThrow(RangeError)
  })

  test("a reader that is too far behind gets one resync, and continues after it", async () => {
    const { store, shop } = await openShop({ changeRetention: { count: 10, ageMs: Infinity } })
    const reader = store.changes({ after: 1 })
    for (let number = 0; number < 5_000; number++) shop.categories.create({ name: "Dogs" })
    const [resync] = await take(reader, 1)
    expect(resync).toEqual({ type: "resync", sequence: 5_002 })
    shop.categories.create({ name: "Cats" })
    expect(await take(reader, 1)).toMatchObject([{ type: "category.created", sequence: 5_003 }])
  })

  test("a position ahead of the store, and one in another store, get one resync", async () => {
    const { store, shop } = await openShop()
    const epoch = await store.changes.epoch()
    expect(await store.changes.page({ after: 3 })).toEqual({ type: "resync", sequence: 2 })
    for (const reader of [
      store.changes({ after: 9 }),
      store.changes({ after: 1, epoch: "another" })
    ]) {
      expect(await take(reader, 1)).toEqual([{ type: "resync", sequence: 2 }])
    }
    expect(sequences(await take(store.changes({ after: 0, epoch }), 2))).toEqual([1, 2])
    expect(shop.categories.list().items).toHaveLength(1)
  })

  test("the epoch stays, and other stores have others", async () => {
    const [one, other] = [await openShop(), await openShop()]
    const epoch = await one.store.changes.epoch()
    expect(epoch).toMatch(/^[0-9a-z]+$/)
    expect(await one.store.changes.epoch()).toBe(epoch)
    expect(await other.store.changes.epoch()).not.toBe(epoch)
  })

  test("a place or a limit that can't be is refused by name", async () => {
    const { store } = await openShop()
    await expect(store.changes.page({ after: -1 })).rejects.toThrow("after")
    await expect(store.changes.page({ limit: 1_001 })).rejects.toThrow("limit")
    await expect(store.changes.history("pet", 1, { limit: 0 })).rejects.toThrow("limit")
    await expect(store.changes({ after: 0.5 }).next()).rejects.toThrow("after")
  })

  test("a type that there is not is refused by name, as nothing of it would ever come", async () => {
    const { store } = await openShop()
    const misspelt = JSON.parse('["pet.created", "pet.creatd"]')
    await expect(store.changes({ types: misspelt }).next()).rejects.toMatchObject({
      _tag: "InvalidParameter",
      parameter: "types",
      got: '"pet.creatd"'
    })
  })

  test("no reader can change what other readers get", async () => {
    const { store } = await openShop()
    const [change] = await all(store)
    expect(() => Object.assign(change ?? {}, { sequence: 9 })).toThrow()
    expect(() => Object.assign(change?.record ?? {}, { name: "tampered" })).toThrow()
  })
})

describe("a reader of changes", () => {
  test("is a Stream too, which lets go of the feed when it is interrupted", async () => {
    const store = await openTestStore()
    await store.categories.create({ name: "Dogs" })
    const two = changesStream(store, { after: 0 }).pipe(Stream.take(2), Stream.runCollect)
    const running = Effect.runPromise(two)
    await store.categories.create({ name: "Cats" })
    expect(Array.from(await running, ({ sequence }) => sequence)).toEqual([1, 2])
    const endless = Effect.runFork(Stream.runDrain(changesStream(store)))
    await Effect.runPromise(Fiber.interrupt(endless))
    const refused = changesStream(store, { after: -1 }).pipe(Stream.runDrain, Effect.flip)
    expect((await Effect.runPromise(refused)).code).toBe("invalid_parameter")
    const ended = Effect.runPromise(Stream.runDrain(changesStream(store)))
    await store.close()
    await ended
  })

  test("needs no time to pass on a virtual clock, and works when time passes", async () => {
    const store = await openTestStore()
    const reader = store.changes()
    const waiting = reader.next()
    store.advance("1 day")
    await store.categories.create({ name: "Dogs" })
    expect((await waiting).value).toMatchObject({ sequence: 1, at: "2026-01-02T00:00:00Z" })
    await store.close()
  })

  test("takes the changes that are too old away in the writes that follow", async () => {
    const store = await openTestStore({ changeRetention: { count: 1_000, ageMs: 60_000 } })
    for (let number = 0; number < 10; number++) await store.categories.create({ name: "Old" })
    store.advance(60_001)
    for (let number = 0; number < 54; number++) await store.categories.create({ name: "New" })
    const page = await store.changes.page({ limit: 1_000 })
    expect("type" in page ? page : page.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 54 }, (_, at) => at + 11)
    )
    expect(await store.changes.page({ after: 9 })).toEqual({ type: "resync", sequence: 64 })
    expect(await store.changes.page({ after: 10, limit: 1 })).toMatchObject([{ sequence: 11 }])
    await store.close()
  })
})
