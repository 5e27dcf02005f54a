/** Numbers that JavaScript has and records have not: -0, NaN, fractions. Alike on every storage. */
import {
  type OrderingRules,
  OrderingPolicy,
  PetStore,
  SPECIFIED_PLANS,
  DEFAULT_BAN_POLICY
} from "@petstore/core"
import { InventoryUpdate } from "@petstore/core/schema"
import { MemoryStorage } from "@petstore/storage-memory"
import { Clock, Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { STORAGES } from "./storages.js"

describe.each(STORAGES)("numbers, $name", ({ openShop }) => {
  it("-0 is read as 0, in results, lists and changes", async () => {
    const { store, shop, pet } = await openShop()
    const { quantity } = shop.inventory.set(pet.id, { quantity: -0 })
    const [change] = await store.changes.history("inventory", pet.id)
    const found = [
      quantity,
      shop.inventory.get(pet.id).quantity,
      shop.inventory.list().items[0]?.quantity,
      change?.record?.quantity
    ]
    expect(found.map((each) => Object.is(each, 0))).toEqual([true, true, true, true])
  })

  it("a clock that counts fractions of milliseconds is cut off to whole ones", async () => {
    const nowMs = Date.UTC(2030, 0, 1)
    const clock = () => nowMs + 0.75
    const { store } = await openShop({ clock })
    const account = await store.accounts.create({ plan: "free" })
    const { id } = await store.keys.create(account.id)
    const { key } = await store.keys.rotate(id, { overlapMs: 5 })
    const admission = await store.engine.authenticator.admit(
      { apiKey: [key], authorization: [], address: "192.0.2.1" },
      store.engine.nowMs()
    )
    expect(admission.admitted).toBe(true)
    expect([account.createdAt, (await store.keys.get(id)).revokedAt]).toEqual([
      "2030-01-01T00:00:00Z",
      "2030-01-01T00:00:00.005Z"
    ])
  })

  it("a clock that begins to say no time makes writes fail with what it said, and stores nothing", async () => {
    let ms = Date.UTC(2030, 0, 1)
    const { store } = await openShop({ clock: () => ms })
    for (const said of [Number.NaN, Infinity, -1e15, 9e15]) {
      ms = said
      await expect(store.categories.create({ name: "Birds" })).rejects.toThrow(
        `the store's clock says ${said}: expected milliseconds since 1970`
      )
    }
    ms = Date.UTC(2030, 0, 2)
    expect((await store.categories.list()).items).toHaveLength(1)
  })

  it.each([
    ["half an animal", 0.5],
    ["no number", Number.NaN]
  ])(
    "ordering rules that make %s of the stock fail, and leave everything as it was",
    async (_, forSale) => {
      const ordering: OrderingRules = {
        ...OrderingPolicy.takeFromStock,
        take: (_petId, stock, held) => Either.right({ stock: { ...stock, forSale }, held })
      }
      const { store, shop, pet } = await openShop({ ordering })
      shop.inventory.set(pet.id, { quantity: 3 })
      await expect(store.orders.place({ petId: pet.id, quantity: 1 })).rejects.toThrow(
        `the ordering rules made forSale ${forSale}: expected a whole number`
      )
      expect([shop.inventory.get(pet.id).quantity, shop.orders.list().items]).toEqual([3, []])
    }
  )
})

describe("opening a store", () => {
  const storage = MemoryStorage.layer

  it.each([Number.NaN, -Infinity, -1e15, 9e15])(
    "on a clock that says %d is refused",
    async (ms) => {
      await expect(PetStore.open({ storage, clock: () => ms })).rejects.toThrow(
        `the store's clock says ${ms}: expected milliseconds since 1970, of the years 1 to 9999`
      )
      const clock = { ...Clock.make(), unsafeCurrentTimeMillis: () => ms }
      await expect(PetStore.open({ storage, clock })).rejects.toThrow(RangeError)
    }
  )

  it.each([
    ["plans.pro.perDay", { plans: { ...SPECIFIED_PLANS, pro: { perMinute: 5, perDay: 1.5 } } }],
    [
      "plans.free.perMinute",
      { plans: { ...SPECIFIED_PLANS, free: { perMinute: Number.NaN, perDay: 1 } } }
    ],
    ["banPolicy.strikes", { banPolicy: { ...DEFAULT_BAN_POLICY, strikes: 0.5 } }],
    ["banPolicy.graceMs", { banPolicy: { ...DEFAULT_BAN_POLICY, graceMs: Number.NaN } }],
    ["banPolicy.longestBanMs", { banPolicy: { ...DEFAULT_BAN_POLICY, longestBanMs: Infinity } }]
  ])("with no number for %s is refused by that name", async (name, options) => {
    await expect(PetStore.open({ storage, ...options })).rejects.toThrow(`${name}: expected`)
  })
})

describe("the schema of a whole number", () => {
  it("takes -0 as 0, as the decoder does", () => {
    const { quantity } = Schema.decodeUnknownSync(InventoryUpdate)({ quantity: -0 })
    expect(Object.is(quantity, 0)).toBe(true)
  })
})
