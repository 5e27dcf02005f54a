import type { OpenPetStore } from "@petstore/core"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
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
    const known =
      (["available", "pending", "sold"] as const).find((each) => each === status) ?? "sold"
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
      for (let number = 0; number < 20_000; number++)
        yield* tx.pets.create({ name: "Nemo", categoryId })
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

describe("totals follow what is created", () => {
  const STATUSES = ["available", "pending", "sold"] as const

  const totalsIn = (filename: string): ReadonlyArray<unknown> => {
    const file = openSqlite(filename, { readOnly: true })
    const rows = file.rows("SELECT * FROM kept_totals ORDER BY tally, first, second").all()
    file.close()
    return rows
  }

  test("once for many of them, so that one alone changes no total", async () => {
    const filename = aFile()
    const { direct: shop } = await openStore({ filename, durability: "relaxed" })
    shop.categories.create({ name: "Fish" })
    const before = totalsIn(filename)
    for (let id = 1; id < 64; id++) shop.pets.create({ name: "Goldie", categoryId: 1 })
    for (let id = 1; id < 64; id++) shop.orders.place({ petId: id })
    for (const id of [63, 62]) {
      shop.orders.cancel(id)
      shop.pets.remove(id)
    }
    expect(totalsIn(filename)).toEqual(before)
    shop.pets.create({ name: "Goldie", categoryId: 1, status: "sold" })
    expect(totalsIn(filename)).toEqual([
      ["orders", 0, 0, 0],
      ["pets", 0, 0, 64],
      ["pets_category_status", 1, 1, 61],
      ["pets_category_status", 1, 2, 1],
      ["pets_status", 1, 0, 61],
      ["pets_status", 2, 0, 1]
    ])
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  })

  const listed = (store: OpenPetStore): ReadonlyArray<number | undefined> =>
    STATUSES.map((status) => store.direct.pets.list({ status, limit: 1, total: true }).total)

  test("in another connection, which this one knows of", async () => {
    const filename = aFile()
    const [one, other] = [await openStore({ filename }), await openStore({ filename })]
    one.direct.categories.create({ name: "Fish" })
    one.direct.pets.create({ name: "Goldie", categoryId: 1 })
    one.direct.pets.update(1, { status: "pending" })
    await other.transact(function* (tx) {
      for (let id = 2; id <= 70; id++) yield* tx.pets.create({ name: "Goldie", categoryId: 1 })
    })
    one.direct.pets.update(1, { status: "sold" })
    expect([listed(one), listed(other)]).toEqual([
      [69, 0, 1],
      [69, 0, 1]
    ])
  })

  test("in a part of a commit that is refused, which the next part knows nothing of", async () => {
    const store = await openStore({ filename: aFile() })
    store.direct.categories.create({ name: "Fish" })
    store.direct.pets.create({ name: "Goldie", categoryId: 1 })
    const told = await Promise.allSettled([
      store.transact(function* (tx) {
        for (let id = 2; id <= 70; id++) yield* tx.pets.create({ name: "Goldie", categoryId: 1 })
        yield* tx.pets.list({ status: "available", total: true })
        yield* tx.pets.update(1, { status: "sold" })
        yield* tx.pets.get(1_000_000)
      }),
      store.pets.update(1, { status: "pending" })
    ])
    expect(told.map(({ status }) => status)).toEqual(["rejected", "fulfilled"])
    expect(listed(store)).toEqual([0, 1, 0])
  })

  const act = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("create" as const),
        many: fc.integer({ min: 1, max: 80 })
      })
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), nth: fc.nat(999) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), nth: fc.nat(999) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("removeLast" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("look" as const) }) }
  )
  const part = fc.record({
    acts: fc.array(act, { maxLength: 5 }),
    isRefused: fc.integer({ min: 0, max: 3 }).map((nth) => nth === 0)
  })
  const group = fc.record({
    by: fc.constantFrom(0 as const, 1 as const),
    parts: fc.array(part, { maxLength: 3 })
  })
  type Part = typeof part extends fc.Arbitrary<infer P> ? P : never
  type Status = (typeof STATUSES)[number]

  const countOf = (pets: ReadonlyMap<number, Status>, status: Status): number =>
    [...pets.values()].filter((each) => each === status).length

  test("and are right after any parts of any transactions of two connections, whether they stay or are refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(group, { maxLength: 8 }), async (groups) => {
        const filename = aFile()
        const stores = [
          await openStore({ filename, durability: "relaxed" }),
          await openStore({ filename, durability: "relaxed" })
        ] as const
        stores[0].direct.categories.create({ name: "Fish" })
        let pets: ReadonlyMap<number, Status> = new Map()
        // What each part of a group leaves: it may be run again, from the first part on.
        const left: Array<ReadonlyMap<number, Status>> = []
        const running = (store: OpenPetStore, { acts, isRefused }: Part, nth: number) =>
          store.transact(function* (tx) {
            const before = left[nth - 1] ?? pets
            const mine = new Map(before)
            for (const each of acts) {
              const ids = [...mine.keys()]
              const id = "nth" in each ? ids[each.nth % ids.length] : ids.at(-1)
              if (each.do === "create")
                for (let nth = 0; nth < each.many; nth++) {
                  const status = STATUSES[nth % 3] ?? "sold"
                  mine.set(
                    (yield* tx.pets.create({ name: "Goldie", categoryId: 1, status })).id,
                    status
                  )
                }
              else if (each.do === "look")
                for (const status of STATUSES) {
                  const { total } = yield* tx.pets.list({ status, limit: 1, total: true })
                  expect(total).toBe(countOf(mine, status))
                }
              else if (id !== undefined && each.do === "move") {
                yield* tx.pets.update(id, { status: "pending" })
                mine.set(id, "pending")
              } else if (id !== undefined) {
                yield* tx.pets.remove(id)
                mine.delete(id)
              }
            }
            left[nth] = isRefused ? before : mine
            if (isRefused) yield* tx.pets.get(1_000_000)
          })
        for (const { by, parts } of groups) {
          left.length = 0
          const told = await Promise.allSettled(
            parts.map((each, nth) => running(stores[by], each, nth))
          )
          pets = left.at(-1) ?? pets
          expect(told.map(({ status }) => status === "rejected")).toEqual(
            parts.map(({ isRefused }) => isRefused)
          )
          for (const { direct } of stores)
            for (const status of STATUSES) {
              const { total } = direct.pets.list({ status, limit: 1, total: true })
              expect(total).toBe(countOf(pets, status))
              const ofCategory = direct.pets.list({ categoryId: 1, status, limit: 1, total: true })
              expect(ofCategory.total).toBe(total)
            }
        }
        expect(await Effect.runPromise(verify({ filename }))).toEqual([])
        for (const store of stores) await store.close()
      }),
      { numRuns: 40 }
    )
  })
})
