import { NotFound, PreconditionFailed, StatusPolicy, StoreClosed } from "@petstore/core"
import { describe, expect, it } from "vitest"
import { refusal, STORAGES } from "./storages.js"

describe.each(STORAGES)("a pet, $name", ({ openShop }) => {
  it("is available unless it is said otherwise", async () => {
    const { shop, category } = await openShop()
    expect(shop.pets.create({ name: "Rex", categoryId: category.id }).status).toBe("available")
    expect(shop.pets.create({ name: "Rex", categoryId: category.id, status: "sold" }).status).toBe(
      "sold"
    )
  })

  it("needs a category that is there", async () => {
    const { shop, pet } = await openShop()
    expect(refusal(() => shop.pets.create({ name: "Rex", categoryId: 9 }))).toBe("unknown_category")
    expect(refusal(() => shop.pets.create({ name: "Rex", categoryId: 2 ** 60 }))).toBe(
      "unknown_category"
    )
    expect(refusal(() => shop.pets.update(pet.id, { categoryId: 9 }))).toBe("unknown_category")
  })

  it("keeps its status when it is replaced without one", async () => {
    const { shop, pet, category } = await openShop()
    shop.pets.update(pet.id, { status: "sold" })
    expect(shop.pets.replace(pet.id, { name: "Goldie II", categoryId: category.id }).status).toBe(
      "sold"
    )
  })

  it("with an inventory entry has the status of its stock, and no other", async () => {
    const { shop, pet } = await openShop()
    shop.inventory.set(pet.id, { quantity: 0 })
    expect(shop.pets.get(pet.id).status).toBe("sold")
    expect(refusal(() => shop.pets.update(pet.id, { status: "available" }))).toBe(
      "status_follows_stock"
    )
    expect(shop.pets.update(pet.id, { status: "sold", name: "Gone" }).name).toBe("Gone")
  })

  it("under the strict status policy moves only as the table says", async () => {
    const { shop, pet } = await openShop({ transitions: StatusPolicy.strict })
    expect(refusal(() => shop.pets.update(pet.id, { status: "sold" }))).toBe("invalid_transition")
    shop.pets.update(pet.id, { status: "pending" })
    shop.pets.update(pet.id, { status: "sold" })
    expect(refusal(() => shop.pets.update(pet.id, { status: "available" }))).toBe(
      "invalid_transition"
    )
  })

  it("can't go while an open order holds it, and takes its inventory entry along when it goes", async () => {
    const { shop, pet } = await openShop()
    shop.inventory.set(pet.id, { quantity: 2 })
    shop.orders.place({ petId: pet.id })
    expect(refusal(() => shop.pets.remove(pet.id))).toBe("pet_in_use")
    shop.orders.update(1, { complete: true })
    shop.pets.remove(pet.id)
    expect(refusal(() => shop.inventory.get(pet.id))).toBe("not_found")
    expect(shop.orders.get(1).petId).toBe(pet.id)
    expect(shop.inventory.list().items).toEqual([])
  })

  it("never gets an id that another had", async () => {
    const { shop, pet, category } = await openShop()
    shop.pets.remove(pet.id)
    expect(shop.pets.create({ name: "Nemo", categoryId: category.id }).id).toBe(pet.id + 1)
  })

  it("changes only at the revision it is expected to be at", async () => {
    const { shop, pet } = await openShop()
    shop.pets.update(pet.id, { name: "Two" }, { ifRevision: 1 })
    expect(() => shop.pets.update(pet.id, { name: "Three" }, { ifRevision: 1 })).toThrow(
      PreconditionFailed
    )
    expect(() => shop.pets.remove(pet.id, { ifRevision: [1, 3] })).toThrow(PreconditionFailed)
    shop.pets.remove(pet.id, { ifRevision: [1, 2] })
  })

  it("that is handed out can't be used to change what is stored", async () => {
    const { shop, pet } = await openShop()
    const got: { name: string } = { ...shop.pets.get(pet.id) }
    Reflect.set(shop.pets.get(pet.id), "name", "changed")
    expect(shop.pets.get(pet.id).name).toBe(got.name)
  })
})

describe.each(STORAGES)("a category, $name", ({ openShop }) => {
  it("can't go while it has pets", async () => {
    const { shop, pet, category } = await openShop()
    expect(refusal(() => shop.categories.remove(category.id))).toBe("category_in_use")
    shop.pets.remove(pet.id)
    shop.categories.remove(category.id)
    expect(refusal(() => shop.categories.get(category.id))).toBe("not_found")
  })

  it("keeps what a patch leaves out, and loses what a patch sets to null or a replacement leaves out", async () => {
    const { shop } = await openShop()
    const { id } = shop.categories.create({ name: "Birds", description: "They fly" })
    expect(shop.categories.update(id, { name: "Parrots" })).toEqual({
      id,
      name: "Parrots",
      description: "They fly"
    })
    expect(shop.categories.update(id, { description: null })).toEqual({ id, name: "Parrots" })
    shop.categories.update(id, { description: "" })
    expect(shop.categories.get(id)).toEqual({ id, name: "Parrots", description: "" })
    expect(shop.categories.replace(id, { name: "Parrots" })).toEqual({ id, name: "Parrots" })
  })
})

describe.each(STORAGES)("an inventory entry, $name", ({ openShop }) => {
  it("is made once for a pet that is there, then set", async () => {
    const { shop, pet } = await openShop()
    expect(refusal(() => shop.inventory.get(pet.id))).toBe("not_found")
    expect(refusal(() => shop.inventory.set(99, { quantity: 1 }))).toBe("not_found")
    expect(shop.inventory.set(pet.id, { quantity: 4 })).toEqual({
      petId: pet.id,
      quantity: 4,
      status: "available"
    })
    expect(refusal(() => shop.inventory.set(pet.id, { quantity: 2 ** 31 }))).toBe(
      "validation_failed"
    )
    expect(refusal(() => shop.inventory.set(pet.id, { quantity: -1 }))).toBe("validation_failed")
  })

  it("of an animal that an order already holds counts that unit as on order", async () => {
    const { shop, pet } = await openShop()
    shop.orders.place({ petId: pet.id })
    expect(shop.inventory.set(pet.id, { quantity: 0 }).status).toBe("pending")
    shop.orders.cancel(1)
    expect(shop.inventory.get(pet.id)).toEqual({ petId: pet.id, quantity: 1, status: "available" })
  })
})

describe.each(STORAGES)("a store, $name", ({ openShop }) => {
  it("rolls back every step of a transaction when one is refused", async () => {
    const { store, pet } = await openShop()
    const steps = store.transact(function* (tx) {
      yield* tx.categories.create({ name: "Birds" })
      yield* tx.inventory.set(pet.id, { quantity: 7 })
      return yield* tx.pets.get(99)
    })
    await expect(steps).rejects.toBeInstanceOf(NotFound)
    expect((await store.categories.list()).items).toHaveLength(1)
    expect((await store.inventory.list()).items).toEqual([])
  })

  it("says what a transaction is made of, when it is handed something else", async () => {
    const { store } = await openShop()
    const transact = async (steps: unknown): Promise<unknown> =>
      Reflect.apply(store.transact, store, [steps])
    for (const steps of [() => 5, async () => 5, async function* () {}]) {
      await expect(transact(steps)).rejects.toThrow("transact takes a generator function")
    }
  })

  it("that is closed answers with a typed error on every API", async () => {
    const { store, shop } = await openShop()
    await store.close()
    await store.close()
    await expect(store.pets.get(1)).rejects.toBeInstanceOf(StoreClosed)
    await expect(store.limits.get(1)).rejects.toBeInstanceOf(StoreClosed)
    expect(() => shop.pets.get(1)).toThrow(StoreClosed)
  })

  it("does not touch another store", async () => {
    const [one, two] = [await openShop(), await openShop()]
    one.shop.pets.create({ name: "Only here", categoryId: one.category.id })
    expect(two.shop.pets.list().items).toHaveLength(1)
  })
})
