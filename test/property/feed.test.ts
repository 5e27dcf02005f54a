import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type OpenPetStore, PetStore, type StorageLayer } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { FastCheck as fc } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { replayedShopOf, shopOf, upTo } from "../feed/shopOf.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-feed-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const aFile = () => join(folder, `${++files}.db`)

const id = fc.integer({ min: 1, max: 4 })
const quantity = fc.integer({ min: 0, max: 4 })
const name = fc.constantFrom("Ace", "ängström", "\u{1f980}")

const step = fc.oneof(
  fc.record({ do: fc.constant("category" as const), name }),
  fc.record({ do: fc.constant("rename category" as const), id, name }),
  fc.record({ do: fc.constant("remove category" as const), id }),
  fc.record({ do: fc.constant("pet" as const), id, name }),
  fc.record({
    do: fc.constant("update pet" as const),
    id,
    name,
    status: fc.constantFrom("available" as const, "sold" as const)
  }),
  fc.record({ do: fc.constant("remove pet" as const), id }),
  fc.record({ do: fc.constant("stock" as const), id, quantity }),
  fc.record({ do: fc.constant("place" as const), id, quantity, complete: fc.boolean() }),
  fc.record({ do: fc.constant("move" as const), order: id, id: fc.option(id), quantity }),
  fc.record({ do: fc.constant("complete" as const), order: id }),
  fc.record({ do: fc.constant("cancel" as const), order: id }),
  fc.record({ do: fc.constant("transact" as const), id, quantity, fails: fc.boolean() })
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const act = async (store: OpenPetStore, each: Step): Promise<unknown> => {
  if (each.do === "category") return store.categories.create({ name: each.name })
  if (each.do === "rename category")
    return store.categories.update(each.id, { name: each.name, description: each.name })
  if (each.do === "remove category") return store.categories.remove(each.id)
  if (each.do === "pet") return store.pets.create({ name: each.name, categoryId: each.id })
  if (each.do === "update pet")
    return store.pets.update(each.id, { name: each.name, status: each.status })
  if (each.do === "remove pet") return store.pets.remove(each.id)
  if (each.do === "stock") return store.inventory.set(each.id, { quantity: each.quantity })
  if (each.do === "place")
    return store.orders.place({ petId: each.id, quantity: each.quantity, complete: each.complete })
  if (each.do === "move")
    return store.orders.update(each.order, { petId: each.id, quantity: each.quantity })
  if (each.do === "complete") return store.orders.update(each.order, { complete: true })
  if (each.do === "cancel") return store.orders.cancel(each.order)
  return store.transact(function* (tx) {
    const pet = yield* tx.pets.create({ name: "Several", categoryId: each.id })
    yield* tx.inventory.set(pet.id, { quantity: each.quantity })
    yield* tx.pets.remove(each.fails ? 99 : pet.id)
  })
}

/** Refusals are part of the game; anything else is not. */
const attempt = async (store: OpenPetStore, each: Step): Promise<void> => {
  try {
    await act(store, each)
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error
  }
}

const sources: ReadonlyArray<{
  readonly name: string
  readonly layer: () => StorageLayer
  readonly runs: number
}> = [
  { name: "memory", layer: () => MemoryStorage.layer, runs: 60 },
  {
    name: "a file",
    layer: () => SqliteStorage.layer({ filename: aFile(), durability: "relaxed" }),
    runs: 15
  }
]

describe.each(sources)("the feed of $name", ({ layer, runs }) => {
  it("replayed from the first change into an empty store gives exactly the same shop, whatever was done", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = await PetStore.open({ storage: layer() })
        for (const each of steps) await attempt(store, each)
        const shop = await shopOf(store)
        expect(await replayedShopOf(store)).toEqual(shop)
        expect(shop.changes.map((row) => row.id)).toEqual(upTo(shop.changes.length))
        await store.close()
      }),
      { numRuns: runs }
    )
  })

  it("is read without a gap or a repeat, however pulls and writes interleave", async () => {
    const turn = fc.constantFrom("pull", "direct", "submitted", "breathe")
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 60 }), async (turns) => {
        const store = await PetStore.open({ storage: layer() })
        const reader = store.changes({ after: 0 })
        const told: Array<Promise<number | undefined>> = []
        const pull = () => told.push(reader.next().then(({ value }) => value?.sequence))
        const writes: Array<Promise<unknown>> = []
        for (const each of turns) {
          if (each === "pull") pull()
          else if (each === "direct") store.direct.categories.create({ name: "Dogs" })
          else if (each === "submitted") writes.push(store.categories.create({ name: "Cats" }))
          else await Promise.resolve()
        }
        await Promise.all(writes)
        const last = await store.changes.last()
        while (told.length < last) pull()
        const sequences = await Promise.all(told.slice(0, last))
        expect(sequences).toEqual(upTo(last))
        await store.close()
        await Promise.all(told)
      }),
      { numRuns: runs }
    )
  })
})

describe("the feed of a store for tests", () => {
  it("is gapless whatever fails or crashes, and goes with snapshots and forks", async () => {
    const fault = fc.constantFrom("Busy" as const, "Full" as const, "CrashBeforeCommit" as const)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fault), { maxLength: 20 }), async (faults) => {
        const store = await openTestStore()
        for (const each of faults) {
          if (each !== null) store.failWrite(1, each)
          await store.categories.create({ name: "Dogs" }).catch(() => undefined)
        }
        const { changes: feed } = await shopOf(store)
        expect(feed.map((row) => row.id)).toEqual(upTo(feed.length))
        expect(feed).toHaveLength(faults.filter((each) => each === null).length)
        const fork = await store.fork()
        expect((await shopOf(fork)).changes).toEqual(feed)
        expect(await fork.changes.epoch()).not.toBe(await store.changes.epoch())
        await fork.close()
        await store.close()
      }),
      { numRuns: 30 }
    )
  })

  it("sends a reader one resync when a snapshot is restored, even if the store has since reached the same sequence", async () => {
    const store = await openTestStore()
    const snapshot = await store.snapshot()
    await store.categories.create({ name: "Dogs" })
    const reader = store.changes({ after: 0 })
    expect((await reader.next()).value?.type).toBe("category.created")
    await store.restore(snapshot)
    await store.categories.create({ name: "Cats" })
    expect((await reader.next()).value).toEqual({ type: "resync", sequence: 1 })
    await store.categories.create({ name: "Birds" })
    expect((await reader.next()).value).toMatchObject({ sequence: 2, record: { name: "Birds" } })
    await store.close()
  })
})

describe("the feed of a file that two have open", () => {
  it("is one gapless sequence, in which each process sees the writes of the other", async () => {
    const filename = aFile()
    const [one, other] = await Promise.all(
      [1, 2].map(() => PetStore.open({ storage: SqliteStorage.layer({ filename }) }))
    )
    if (one === undefined || other === undefined) throw new Error("two were opened")
    const reader = one.changes({ after: 0 })
    const told = (async () => {
      const found: Array<number | undefined> = []
      while (found.length < 40) found.push((await reader.next()).value?.sequence)
      return found
    })()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        [one, other].map((store) => store.categories.create({ name: "Dogs" }))
      ).flat()
    )
    expect(await told).toEqual(upTo(40))
    const waiting = reader.next()
    await other.categories.create({ name: "Cats" })
    expect((await waiting).value).toMatchObject({ sequence: 41, record: { name: "Cats" } })
    expect(await one.changes.epoch()).toBe(await other.changes.epoch())
    await Promise.all([one.close(), other.close()])
  })
})
