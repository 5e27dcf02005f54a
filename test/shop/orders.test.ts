import { InsufficientStock, OrderingPolicy } from "@petstore/core"
import { describe, expect, it } from "vitest"
import { refusal, STORAGES } from "./storages.js"

describe.each(STORAGES)("an order, $name", ({ openShop }) => {
  it("may be empty, and then holds nothing", async () => {
    const { shop, pet } = await openShop()
    expect(shop.orders.place({})).toEqual({ id: 1, complete: false })
    expect(shop.orders.place({ quantity: 3 })).toEqual({ id: 2, quantity: 3, complete: false })
    expect(shop.pets.get(pet.id).status).toBe("available")
    expect(shop.orders.list().items).toHaveLength(2)
  })

  it("for a pet without an inventory entry holds that one animal", async () => {
    const { shop, pet } = await openShop()
    expect(shop.orders.place({ petId: pet.id })).toEqual({
      id: 1,
      petId: pet.id,
      quantity: 1,
      complete: false
    })
    expect(shop.pets.get(pet.id).status).toBe("pending")
    expect(refusal(() => shop.orders.place({ petId: pet.id }))).toBe("insufficient_stock")
    expect(refusal(() => shop.orders.place({ petId: pet.id, quantity: 2 }))).toBe(
      "insufficient_stock"
    )
    shop.orders.update(1, { complete: true })
    expect(shop.pets.get(pet.id).status).toBe("sold")
  })

  it("for an animal that an open order holds is refused even if its status was set back by hand", async () => {
    const { shop, pet } = await openShop()
    shop.orders.place({ petId: pet.id })
    shop.pets.update(pet.id, { status: "available" })
    expect(refusal(() => shop.orders.place({ petId: pet.id }))).toBe("insufficient_stock")
  })

  it("takes its units from stock, and the statuses follow", async () => {
    const { shop, pet } = await openShop()
    shop.inventory.set(pet.id, { quantity: 5 })
    shop.orders.place({ petId: pet.id, quantity: 3 })
    expect(shop.inventory.get(pet.id)).toEqual({ petId: pet.id, quantity: 2, status: "available" })
    expect(refusal(() => shop.orders.place({ petId: pet.id, quantity: 3 }))).toBe(
      "insufficient_stock"
    )
    shop.orders.place({ petId: pet.id, quantity: 2 })
    expect(shop.inventory.get(pet.id)).toEqual({ petId: pet.id, quantity: 0, status: "pending" })
    expect(shop.pets.get(pet.id).status).toBe("pending")
    shop.orders.update(1, { complete: true })
    expect(shop.pets.get(pet.id).status).toBe("pending")
    shop.orders.update(2, { complete: true })
    expect(shop.inventory.get(pet.id).status).toBe("sold")
    expect(shop.pets.get(pet.id).status).toBe("sold")
  })

  it("that changes its pet or quantity moves the difference", async () => {
    const { shop, pet, category } = await openShop()
    const other = shop.pets.create({ name: "Nemo", categoryId: category.id })
    shop.inventory.set(pet.id, { quantity: 5 })
    shop.inventory.set(other.id, { quantity: 5 })
    shop.orders.place({ petId: pet.id, quantity: 5 })
    shop.orders.update(1, { quantity: 2 })
    expect(shop.inventory.get(pet.id).quantity).toBe(3)
    shop.orders.update(1, { petId: other.id })
    expect([shop.inventory.get(pet.id).quantity, shop.inventory.get(other.id).quantity]).toEqual([
      5, 3
    ])
    expect(refusal(() => shop.orders.update(1, { quantity: 6 }))).toBe("insufficient_stock")
    expect(shop.orders.get(1).quantity).toBe(2)
    shop.orders.update(1, { petId: null })
    expect(shop.inventory.get(other.id).quantity).toBe(5)
    expect(shop.orders.get(1)).toEqual({ id: 1, quantity: 2, complete: false })
  })

  it("gives its units back when cancelled, once", async () => {
    const { shop, pet } = await openShop()
    shop.inventory.set(pet.id, { quantity: 5 })
    shop.orders.place({ petId: pet.id, quantity: 5 })
    shop.orders.cancel(1)
    expect(shop.inventory.get(pet.id)).toEqual({ petId: pet.id, quantity: 5, status: "available" })
    expect(refusal(() => shop.orders.cancel(1))).toBe("not_found")
  })

  it("that is complete is final, but for its ship date", async () => {
    const { shop, pet } = await openShop()
    shop.orders.place({ petId: pet.id, complete: true })
    expect(shop.pets.get(pet.id).status).toBe("sold")
    for (const change of [{ complete: false }, { quantity: 2 }, { petId: null }]) {
      expect(refusal(() => shop.orders.update(1, change))).toBe("order_completed")
    }
    expect(refusal(() => shop.orders.replace(1, { complete: true }))).toBe("order_completed")
    expect(refusal(() => shop.orders.cancel(1))).toBe("order_completed")
    expect(shop.orders.update(1, { shipDate: "2026-12-24T18:00:00+01:00" }).shipDate).toBe(
      "2026-12-24T17:00:00Z"
    )
  })

  it("for a pet that is not there, or no longer, is refused and leaves nothing", async () => {
    const { shop, pet } = await openShop()
    shop.pets.remove(pet.id)
    for (const petId of [pet.id, 99, 2 ** 60])
      expect(refusal(() => shop.orders.place({ petId }))).toBe("unknown_pet")
    expect(shop.orders.list().items).toEqual([])
  })

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])(
    "for a quantity of %d is refused",
    async (quantity) => {
      const { shop, pet } = await openShop()
      expect(refusal(() => shop.orders.place({ petId: pet.id, quantity }))).toBe(
        "validation_failed"
      )
    }
  )

  it("under the record-only policy touches nothing", async () => {
    const { shop, pet } = await openShop({ ordering: OrderingPolicy.recordOnly })
    shop.orders.place({ petId: pet.id, quantity: 9, complete: true })
    expect(shop.pets.get(pet.id).status).toBe("available")
    expect(shop.orders.update(1, { complete: false }).complete).toBe(false)
    expect(refusal(() => shop.pets.remove(pet.id))).toBe("pet_in_use")
    shop.orders.cancel(1)
    shop.pets.remove(pet.id)
  })

  it("that is cancelled never brings stock past its bound, because the bound includes the units on order", async () => {
    const { shop, pet } = await openShop()
    shop.inventory.set(pet.id, { quantity: 10 })
    shop.orders.place({ petId: pet.id, quantity: 5 })
    expect(refusal(() => shop.inventory.set(pet.id, { quantity: 2 ** 31 - 1 }))).toBe(
      "stock_limit_exceeded"
    )
    expect(() => shop.inventory.set(pet.id, { quantity: 2 ** 31 - 5 })).toThrow(
      `quantity: 2147483643 of pet ${pet.id} wanted, at most 2147483642 while 5 on order may come back`
    )
    shop.inventory.set(pet.id, { quantity: 2 ** 31 - 6 })
    shop.orders.cancel(1)
    expect(shop.inventory.get(pet.id).quantity).toBe(2 ** 31 - 1)
  })

  it("for a reference that was rounded on its way does not repeat it", async () => {
    const { shop } = await openShop()
    expect(() => shop.orders.place({ petId: 2 ** 53 })).toThrow("petId: there is no such pet")
  })

  it("of the last unit succeeds for exactly one of fifty at once", async () => {
    const { store, shop, pet } = await openShop()
    shop.inventory.set(pet.id, { quantity: 1 })
    const placed = await Promise.allSettled(
      Array.from({ length: 50 }, () => store.orders.place({ petId: pet.id }))
    )
    const refused = placed.filter(
      (each) => each.status === "rejected" && each.reason instanceof InsufficientStock
    )
    expect(refused).toHaveLength(49)
    expect(shop.inventory.get(pet.id).quantity).toBe(0)
  })
})
