import type { OpenPetStore } from "@petstore/core"
import { Effect, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { verify } from "../src/index.js"
import { aFile, openStore } from "./aFile.js"

const step = fc.record({
  act: fc.constantFrom("create", "move", "remove", "stock", "order", "complete", "cancel"),
  id: fc.integer({ min: 1, max: 12 }),
  categoryId: fc.constantFrom(1, 2),
  status: fc.constantFrom("available", "pending", "sold")
})

test("totals are what counting one by one gives, whatever was done in whatever order", async () => {
  const { direct: shop, close } = await openStore({ filename: aFile(), durability: "relaxed" })
  shop.categories.create({ name: "Fish" })
  shop.categories.create({ name: "Birds" })
  const act = ({
    act,
    id,
    categoryId,
    status
  }: {
    act: string
    id: number
    categoryId: number
    status: string
  }) => {
    const known = (["available", "pending", "sold"] as const).find((each) => each === status) ?? "sold"
    if (act === "create") shop.pets.create({ name: "Rex", categoryId, status: known })
    else if (act === "move") shop.pets.update(id, { categoryId, status: known })
    else if (act === "remove") shop.pets.remove(id)
    else if (act === "stock") shop.inventory.set(id, { quantity: categoryId })
    else if (act === "order") shop.orders.place({ petId: id })
    else if (act === "complete") shop.orders.update(id, { complete: true })
    else shop.orders.cancel(id)
  }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      for (const each of steps) {
        try {
          act(each)
        } catch (error) {
          if (!(error instanceof Error && "code" in error)) throw error
        }
      }
      const limit = { limit: 100, total: true } as const
      for (const status of ["available", "pending", "sold"] as const) {
        for (const categoryId of [undefined, 1, 2]) {
          const found = shop.pets.list({
            ...limit,
            status,
            ...(categoryId === undefined ? {} : { categoryId })
          })
          if (found.next === undefined) expect(found.total).toBe(found.items.length)
        }
        const stocked = shop.inventory.list({ ...limit, status })
        expect(stocked.total).toBe(stocked.items.length)
      }
      for (const complete of [true, false]) {
        const placed = shop.orders.list({ ...limit, complete })
        if (placed.next === undefined) expect(placed.total).toBe(placed.items.length)
      }
    }),
    { numRuns: 25 }
  )
  await close()
})

describe("totals", () => {
  const total = (store: OpenPetStore): number | undefined =>
    store.direct.pets.list({ status: "available", limit: 1, total: true }).total

  test("have what the same transaction has added, moved and removed", async () => {
    const store = await openStore({ filename: aFile() })
    const totals = await store.transact(function* (tx) {
      const told: Array<number | undefined> = []
      const look = function* () {
        told.push((yield* tx.pets.list({ status: "available", limit: 1, total: true })).total)
      }
      const { id: categoryId } = yield* tx.categories.create({ name: "Fish" })
      const { id } = yield* tx.pets.create({ name: "Goldie", categoryId })
      yield* look()
      yield* tx.pets.create({ name: "Nemo", categoryId })
      yield* look()
      yield* tx.pets.update(id, { status: "sold" })
      yield* look()
      yield* tx.pets.update(id, { status: "available" })
      yield* tx.pets.remove(id)
      yield* look()
      return told
    })
    expect(totals).toEqual([1, 2, 1, 1])
    expect(total(store)).toBe(1)
  })

  test("have nothing of a neighbour in the same commit that is refused", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
    const refused = store.transact(function* (tx) {
      yield* tx.pets.create({ name: "Nobody", categoryId })
      yield* tx.pets.get(99)
    })
    const answers = await Promise.allSettled([
      store.pets.create({ name: "Goldie", categoryId }),
      refused,
      store.pets.create({ name: "Nemo", categoryId })
    ])
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(total(store)).toBe(2)
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  })

  test("have nothing of a transaction that found no room", async () => {
    const filename = aFile()
    const store = await openStore({ filename, maxPages: 200 })
    const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
    store.direct.pets.create({ name: "Goldie", categoryId })
    const tooMany = store.transact(function* (tx) {
      for (let number = 0; number < 20_000; number++) yield* tx.pets.create({ name: "Nemo", categoryId })
    })
    await expect(tooMany).rejects.toMatchObject({ reason: "Full" })
    store.direct.pets.create({ name: "Dory", categoryId })
    expect(total(store)).toBe(2)
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  })

  test("add up what two connections to one file write in turns", async () => {
    const filename = aFile()
    const stores = [await openStore({ filename }), await openStore({ filename })] as const
    const { id: categoryId } = stores[0].direct.categories.create({ name: "Fish" })
    for (let number = 0; number < 10; number++) {
      const [writer, reader] = number % 2 === 0 ? stores : [stores[1], stores[0]]
      writer.direct.pets.create({ name: "Goldie", categoryId })
      expect(total(reader)).toBe(number + 1)
    }
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  })
})
