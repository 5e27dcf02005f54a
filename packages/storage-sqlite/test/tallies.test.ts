import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
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
