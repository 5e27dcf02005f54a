import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"

const pet = fc.integer({ min: 1, max: 3 })
const order = fc.integer({ min: 1, max: 12 })

const step = fc.oneof(
  fc.record({
    do: fc.constant("place" as const),
    pet: fc.option(pet),
    units: fc.integer({ min: 1, max: 4 }),
    complete: fc.boolean()
  }),
  fc.record({
    do: fc.constant("move" as const),
    order,
    pet: fc.option(pet),
    units: fc.option(fc.integer({ min: 1, max: 4 }))
  }),
  fc.record({ do: fc.constant("complete" as const), order }),
  fc.record({ do: fc.constant("cancel" as const), order }),
  fc.record({
    do: fc.constant("status" as const),
    pet,
    status: fc.constantFrom("available" as const, "pending" as const, "sold" as const)
  })
)

const attempt = (act: () => unknown): void => {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error
  }
}

describe("units", () => {
  it("are conserved, never below zero and never sold twice, for any calls in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = await PetStore.open({ storage: MemoryStorage.layer })
        const { categories, pets, inventory, orders } = store.direct
        categories.create({ name: "Fish" })
        for (let each = 1; each <= 3; each++) pets.create({ name: `Pet ${each}`, categoryId: 1 })
        // Pets 1 and 2 have stock; pet 3 is one animal.
        inventory.set(1, { quantity: 5 })
        inventory.set(2, { quantity: 3 })
        for (const each of steps) {
          attempt(() => {
            if (each.do === "place") {
              const petId = each.pet === null ? {} : { petId: each.pet }
              orders.place({ ...petId, quantity: each.units, complete: each.complete })
            } else if (each.do === "move") {
              orders.update(each.order, {
                petId: each.pet,
                ...(each.units === null ? {} : { quantity: each.units })
              })
            } else if (each.do === "complete") orders.update(each.order, { complete: true })
            else if (each.do === "cancel") orders.cancel(each.order)
            else pets.update(each.pet, { status: each.status })
          })
          const held = (petId: number, complete: boolean) =>
            orders
              .list({ petId, complete, limit: 100 })
              .items.reduce((sum, { quantity = 0 }) => sum + quantity, 0)
          for (const [petId, units] of [
            [1, 5],
            [2, 3]
          ] as const) {
            const { quantity, status } = inventory.get(petId)
            const [open, sold] = [held(petId, false), held(petId, true)]
            expect(quantity).toBeGreaterThanOrEqual(0)
            expect(quantity + open + sold).toBe(units)
            expect(status).toBe(quantity > 0 ? "available" : open > 0 ? "pending" : "sold")
            expect(pets.get(petId).status).toBe(status)
          }
          expect(held(3, false)).toBeLessThanOrEqual(1)
        }
        await store.close()
      }),
      { numRuns: 150 }
    )
  })
})
