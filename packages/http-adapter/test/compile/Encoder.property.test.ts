import { Category, InventoryItem, Order, Pet } from "@petstore/core/schema"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { recordEncoder } from "../../src/compile/Encoder.js"

const text = FastCheck.string({ unit: "binary" })
const Encoded = {
  Pet: FastCheck.record({
    id: FastCheck.nat(),
    name: text,
    categoryId: FastCheck.nat(),
    status: FastCheck.constant("sold")
  }),
  Category: FastCheck.record(
    { id: FastCheck.nat(), name: text, description: text },
    { requiredKeys: ["id", "name"] }
  ),
  Order: FastCheck.record(
    {
      id: FastCheck.nat(),
      petId: FastCheck.nat(),
      quantity: FastCheck.nat(),
      shipDate: text,
      complete: FastCheck.boolean()
    },
    { requiredKeys: ["id", "complete"] }
  ),
  InventoryItem: FastCheck.record({
    petId: FastCheck.nat(),
    quantity: FastCheck.nat(),
    status: FastCheck.constant("pending")
  })
}

const SCHEMAS = { Pet, Category, Order, InventoryItem }

describe("Encoder", () => {
  for (const name of ["Pet", "Category", "Order", "InventoryItem"] as const) {
    it(`writes a ${name} exactly as JSON.stringify does, whatever text is in it`, () => {
      const encode = recordEncoder(SCHEMAS[name].ast)
      FastCheck.assert(
        FastCheck.property(Encoded[name], (record) => {
          expect(encode(record)).toBe(JSON.stringify(record))
        })
      )
    })
  }

  it("leaves out what the schema does not name", () => {
    const encode = recordEncoder(Pet.ast)
    const row = {
      id: 1,
      revision: 4,
      name: "Rex",
      foldedName: "rex",
      categoryId: 2,
      status: "sold",
      onOrder: 0
    }
    expect(encode(row)).toBe('{"id":1,"name":"Rex","categoryId":2,"status":"sold"}')
  })
})
