import { describe, expect, it } from "vitest"
import { type OpenShop, refusal, STORAGES } from "./storages.js"

const NAMES = ["b", "B", "a", "é", "\uffff", "😀", "b", "ab", "Ab", "aB", "b"]

const shelf = async (openShop: OpenShop) => {
  const { store, shop, category } = await openShop()
  shop.pets.remove(1)
  const other = shop.categories.create({ name: "Birds" })
  for (const [at, name] of NAMES.entries()) {
    const status = (["available", "pending", "sold"] as const)[at % 3] ?? "sold"
    shop.pets.create({ name, categoryId: at % 2 === 0 ? category.id : other.id, status })
  }
  return { store, shop, category, other }
}

const codePoints = (left: string, right: string) =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))

describe.each(STORAGES)("a list, $name", ({ openShop }) => {
  it("comes by id, and by name in code-point order with ties by ascending id", async () => {
    const { shop } = await shelf(openShop)
    expect(shop.pets.list().items.map(({ name }) => name)).toEqual(NAMES)
    const byName = shop.pets.list({ sort: "name" }).items
    expect(byName.map(({ name }) => name)).toEqual([...NAMES].sort(codePoints))
    const ids = (sort: string) =>
      shop.pets
        .list({ sort })
        .items.filter(({ name }) => name === "b")
        .map(({ id }) => id)
    expect([ids("name"), ids("-name"), ids("name,-id"), ids("-name,-id"), ids("name,id")]).toEqual([
      [2, 8, 12],
      [2, 8, 12],
      [12, 8, 2],
      [12, 8, 2],
      [2, 8, 12]
    ])
    expect(shop.pets.list({ sort: "-name" }).items.map(({ name }) => name)).toEqual(
      [...NAMES].sort(codePoints).toReversed()
    )
  })

  it("that is sorted by what changes meanwhile has a row again, or not at all; by id it has each once", async () => {
    const walk = async (sort: string) => {
      const { shop, category } = await openShop()
      for (const name of ["Ann", "Bob", "Cid"]) shop.pets.create({ name, categoryId: category.id })
      const seen: Array<number> = []
      let cursor: string | undefined
      do {
        const page = shop.pets.list({ sort, limit: 2, ...(cursor === undefined ? {} : { cursor }) })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next
        shop.pets.update(2, { name: "Zoe" })
        shop.pets.update(4, { name: "Abe" })
      } while (cursor !== undefined)
      return seen
    }
    expect(await walk("name")).toEqual([2, 3, 1, 2])
    expect(await walk("id")).toEqual([1, 2, 3, 4])
  })

  it("has every row exactly once over its pages, whatever the order, while rows come and go", async () => {
    for (const sort of ["id", "-id", "name", "-name", "name,-id", "-name,-id"]) {
      const { shop, category } = await shelf(openShop)
      const seen: Array<number> = []
      let cursor: string | undefined
      do {
        const page = shop.pets.list({ sort, limit: 2, ...(cursor === undefined ? {} : { cursor }) })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next
        const last = seen.at(-1)
        if (last !== undefined && last <= 12) shop.pets.remove(last)
        shop.pets.create({ name: "b", categoryId: category.id })
        if (seen.length > 200) break
      } while (cursor !== undefined && seen.length < 100)
      const original = seen.filter((id) => id <= 12)
      expect(original.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it("narrows by id, status, category and the start of the name in every combination", async () => {
    const { shop, category } = await shelf(openShop)
    const all = shop.pets.list({ limit: 100 }).items
    const some = <A>(...values: ReadonlyArray<A>): ReadonlyArray<A | undefined> => [
      undefined,
      ...values
    ]
    for (const status of some<"sold" | ReadonlyArray<"sold" | "available">>("sold", [
      "sold",
      "available"
    ]))
      for (const categoryId of some(category.id))
        for (const name of some("a", "AB", "B", "zz"))
          for (const id of some<ReadonlyArray<number>>([2, 4, 8, 9, 99])) {
            const query = {
              ...(status === undefined ? {} : { status }),
              ...(categoryId === undefined ? {} : { categoryId }),
              ...(name === undefined ? {} : { name }),
              ...(id === undefined ? {} : { id })
            }
            const expected = all.filter(
              (pet) =>
                (status === undefined || [status].flat().includes(pet.status as "sold")) &&
                (categoryId === undefined || pet.categoryId === categoryId) &&
                (name === undefined || pet.name.toLowerCase().startsWith(name.toLowerCase())) &&
                (id === undefined || id.includes(pet.id))
            )
            const got = shop.pets.list({ ...query, total: true })
            expect(got.items.map((pet) => pet.id).toSorted((a, b) => a - b)).toEqual(
              expected.map((pet) => pet.id)
            )
            expect(got.total).toBe(expected.length)
          }
  })

  it("refuses what no index answers, what is unknown, and what is out of range, by name", async () => {
    const { shop } = await shelf(openShop)
    expect(() => shop.pets.list({ name: "a", sort: "id" })).toThrow(/^sort: expected name/)
    expect(() => shop.orders.list({ shipDateFrom: "2026-01-01T00:00:00Z", sort: "id" })).toThrow(
      /^sort: expected shipDate/
    )
    expect(() => shop.pets.list(JSON.parse('{"colour":"red"}'))).toThrow(/^colour: /)
    for (const limit of [0, -1, 101, 1.5, Number.NaN])
      expect(() => shop.pets.list({ limit })).toThrow(/^limit: /)
    for (const sort of ["", "age", "name,name", "name,", "--name", "__proto__"]) {
      expect(() => shop.pets.list({ sort })).toThrow(/^sort: /)
    }
    const { next } = shop.pets.list({ sort: "name", limit: 1 })
    expect(refusal(() => shop.pets.list({ sort: "-name", limit: 1, cursor: String(next) }))).toBe(
      "invalid_parameter"
    )
    const made = (value: unknown): string => {
      const [hash, id]: ReadonlyArray<number> = JSON.parse(
        Buffer.from(String(next), "base64url").toString()
      )
      return Buffer.from(JSON.stringify([hash, id, value])).toString("base64url")
    }
    expect(refusal(() => shop.pets.list({ sort: "name", limit: 1, cursor: made("b") }))).toBe(
      "none"
    )
    for (const value of [null, 5, "\ud800"]) {
      expect(refusal(() => shop.pets.list({ sort: "name", limit: 1, cursor: made(value) }))).toBe(
        "invalid_parameter"
      )
    }
    expect(refusal(() => shop.pets.list({ sort: "name", limit: 1, cursor: `${next}!` }))).toBe(
      "invalid_parameter"
    )
  })

  it("of orders narrows by pet, completion and ship date, and sorts by ship date with none first", async () => {
    const { shop } = await openShop()
    shop.inventory.set(1, { quantity: 100 })
    const days = [3, undefined, 1, 2, undefined, 3, 1]
    for (const [at, day] of days.entries()) {
      shop.orders.place({
        ...(at % 2 === 0 ? { petId: 1 } : {}),
        ...(day === undefined ? {} : { shipDate: `2026-01-0${day}T00:00:00Z` }),
        complete: at % 3 === 0
      })
    }
    const ids = (query: Parameters<typeof shop.orders.list>[0]) =>
      shop.orders.list(query).items.map(({ id }) => id)
    expect(ids({ sort: "shipDate" })).toEqual([2, 5, 3, 7, 4, 1, 6])
    expect(ids({ sort: "-shipDate" })).toEqual([1, 6, 4, 3, 7, 2, 5])
    expect(ids({ sort: "shipDate,-id" })).toEqual([5, 2, 7, 3, 4, 6, 1])
    expect(ids({ shipDateFrom: "2026-01-02T00:00:00Z" })).toEqual([4, 1, 6])
    expect(ids({ shipDateTo: "2026-01-02T01:00:00+01:00" })).toEqual([3, 7, 4])
    expect(
      ids({
        shipDateTo: "2026-01-02T00:00:00Z",
        shipDateFrom: "2026-01-02T00:00:00Z",
        complete: true
      })
    ).toEqual([4])
    expect(ids({ petId: 1, complete: false })).toEqual([3, 5])
    expect(ids({ petId: 1, sort: "shipDate" })).toEqual([5, 3, 7, 1])
    expect(ids({ petId: 99 })).toEqual([])
  })

  it("of inventory narrows by status and sorts by quantity", async () => {
    const { shop, category } = await openShop()
    for (const quantity of [5, 0, 3, 5]) {
      const { id } = shop.pets.create({ name: "x", categoryId: category.id })
      shop.inventory.set(id, { quantity })
    }
    const ids = (query: Parameters<typeof shop.inventory.list>[0]) =>
      shop.inventory.list(query).items.map(({ petId }) => petId)
    expect(ids({})).toEqual([2, 3, 4, 5])
    expect(ids({ sort: "quantity" })).toEqual([3, 4, 2, 5])
    expect(ids({ sort: "-quantity" })).toEqual([2, 5, 4, 3])
    expect(ids({ status: "available", sort: "-petId" })).toEqual([5, 4, 2])
  })
})
