import { type OpenPetStore, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, test } from "vitest"
import { INDIVIDUALS, STOCKED } from "../src/demo/animals.js"
import { fillDemoShop } from "../src/demo/DemoShop.js"

const opened = () => PetStore.open({ storage: MemoryStorage.layer })

type Lists = {
  readonly pets: Awaited<ReturnType<OpenPetStore["pets"]["list"]>>["items"]
  readonly orders: Awaited<ReturnType<OpenPetStore["orders"]["list"]>>["items"]
  readonly inventory: Awaited<ReturnType<OpenPetStore["inventory"]["list"]>>["items"]
  readonly categories: Awaited<ReturnType<OpenPetStore["categories"]["list"]>>["items"]
}

const everything = async <A>(
  list: (query: {
    limit: number
    cursor?: string
  }) => Promise<{ items: ReadonlyArray<A>; next?: string }>
): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  let page = await list({ limit: 100 })
  for (;;) {
    all.push(...page.items)
    if (page.next === undefined) return all
    page = await list({ limit: 100, cursor: page.next })
  }
}

const contents = async (store: OpenPetStore): Promise<Lists> => ({
  pets: await everything(store.pets.list),
  orders: await everything(store.orders.list),
  inventory: await everything(store.inventory.list),
  categories: await everything(store.categories.list)
})

test("the demo shop has 12 categories with descriptions, 200 animals of different names within each, and orders", async () => {
  await using store = await opened()
  const shop = await fillDemoShop(store)
  const { pets, orders, inventory, categories } = await contents(store)
  expect(shop).toEqual({ categories: 12, animals: 200, orders: orders.length })
  expect([categories.length, pets.length, inventory.length]).toEqual([12, 200, 62])
  expect(categories.every((category) => (category.description ?? "").length > 10)).toBe(true)
  expect(new Set(pets.map((pet) => `${pet.categoryId} ${pet.name}`)).size).toBe(200)
  for (const status of ["available", "pending", "sold"] as const) {
    expect(pets.filter((pet) => pet.status === status).length).toBeGreaterThan(5)
  }
  expect(orders.filter((order) => order.complete).length).toBeGreaterThan(20)
  expect(orders.filter((order) => !order.complete).length).toBeGreaterThan(10)
})

test("the demo shop is the same every time", async () => {
  await using one = await opened()
  await using other = await opened()
  await fillDemoShop(one)
  await fillDemoShop(other)
  expect(await contents(other)).toEqual(await contents(one))
})

test("every unit that came into the demo shop is for sale, on order or sold", async () => {
  await using store = await opened()
  await fillDemoShop(store)
  const { pets, orders, inventory } = await contents(store)
  const came = new Map(STOCKED.flatMap((kind) => kind.stock))
  const taken = new Map<number, number>()
  for (const { petId, quantity = 0 } of orders) {
    if (petId !== undefined) taken.set(petId, (taken.get(petId) ?? 0) + quantity)
  }
  for (const item of inventory) {
    const name = pets.find((pet) => pet.id === item.petId)?.name ?? ""
    expect(item.quantity + (taken.get(item.petId) ?? 0), name).toBe(came.get(name))
  }
  const singles = INDIVIDUALS.reduce((sum, kind) => sum + kind.animals.length, 0)
  expect(pets.length - inventory.length).toBe(singles)
  for (const pet of pets.slice(0, singles)) {
    const order = orders.find((each) => each.petId === pet.id)
    if (order !== undefined)
      expect([pet.name, pet.status]).toEqual([pet.name, order.complete ? "sold" : "pending"])
  }
})
