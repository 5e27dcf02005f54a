import { describe, expect, it } from "vitest"
import { CHANGE_TYPES, RECORD_KINDS } from "../../../src/shop/change/Change.js"
import { changeType } from "../../../src/shop/change/changeType.js"

const order = (complete: boolean) => ({ id: 1, revision: 1, complete, held: 1 })
const stock = (quantity: number) => ({ id: 1, revision: 1, quantity })

describe("changeType", () => {
  it("a record that is new was created, one that is gone deleted, and anything else is an update", () => {
    for (const kind of ["pet", "category", "inventory"] as const) {
      expect(changeType(kind, null, {})).toBe(`${kind}.created`)
      expect(changeType(kind, {}, {})).toBe(`${kind}.updated`)
      expect(changeType(kind, {}, null)).toBe(`${kind}.deleted`)
    }
  })

  it("an order is placed, also when it is complete at once, and cancelled", () => {
    expect(changeType("order", null, order(false))).toBe("order.placed")
    expect(changeType("order", null, order(true))).toBe("order.placed")
    expect(changeType("order", order(false), null)).toBe("order.cancelled")
    expect(changeType("order", order(true), null)).toBe("order.cancelled")
  })

  it("an open order that is complete now was completed; one that was so before, or is open again, was updated", () => {
    expect(changeType("order", order(false), order(true))).toBe("order.completed")
    expect(changeType("order", order(true), order(true))).toBe("order.updated")
    expect(changeType("order", order(true), order(false))).toBe("order.updated")
    expect(changeType("order", order(false), order(false))).toBe("order.updated")
  })

  it("stock is depleted when the last unit goes, not when there was none", () => {
    expect(changeType("inventory", stock(1), stock(0))).toBe("inventory.depleted")
    expect(changeType("inventory", stock(0), stock(0))).toBe("inventory.updated")
    expect(changeType("inventory", stock(0), stock(3))).toBe("inventory.updated")
    expect(changeType("inventory", stock(3), stock(2))).toBe("inventory.updated")
    expect(changeType("inventory", null, stock(0))).toBe("inventory.created")
  })

  it("keeps the numbers that stored changes have for types and kinds", () => {
    expect(RECORD_KINDS.slice(0, 4)).toEqual(["pet", "category", "order", "inventory"])
    expect(CHANGE_TYPES.slice(0, 14)).toEqual([
      "pet.created",
      "pet.updated",
      "pet.deleted",
      "category.created",
      "category.updated",
      "category.deleted",
      "order.placed",
      "order.updated",
      "order.completed",
      "order.cancelled",
      "inventory.created",
      "inventory.updated",
      "inventory.depleted",
      "inventory.deleted"
    ])
  })

  it("gives no type that is not on the list, and every type on the list begins with a kind", () => {
    for (const type of CHANGE_TYPES) expect(RECORD_KINDS).toContain(type.split(".")[0])
    const states = [null, order(false), order(true), stock(0), stock(1)]
    for (const kind of RECORD_KINDS)
      for (const before of states)
        for (const after of states)
          if (before !== null || after !== null)
            expect(CHANGE_TYPES).toContain(changeType(kind, before, after))
  })
})
