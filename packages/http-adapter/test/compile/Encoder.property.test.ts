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
      const { one, list } = recordEncoder(SCHEMAS[name].ast)
      FastCheck.assert(
        FastCheck.property(Encoded[name], (record) => {
          expect(one(record)).toBe(JSON.stringify(record))
          expect(list([record, record])).toBe(JSON.stringify([record, record]))
        })
      )
    })
  }

  const REX = { id: 1, name: "Rex", categoryId: 2, status: "sold" }
  const WRITTEN = '{"id":1,"name":"Rex","categoryId":2,"status":"sold"}'
  const { one, list } = recordEncoder(Pet.ast)

  it.each([
    ["members that the schema does not name", { ...REX, revision: 4, foldedName: "rex" }],
    ["such a member in front", { revision: 4, ...REX }],
    ["another order", { status: "sold", categoryId: 2, name: "Rex", id: 1 }],
    ["an undefined member of the schema", { ...REX, description: undefined }],
    ["an undefined member beside it", { ...REX, onOrder: undefined }]
  ])("writes the members of the schema in its order, for a record with %s", (_, record) => {
    expect(one(record)).toBe(WRITTEN)
    expect(list([record])).toBe(`[${WRITTEN}]`)
    expect(list([REX, record, REX])).toBe(`[${WRITTEN},${WRITTEN},${WRITTEN}]`)
  })

  it("leaves out optional members that a record lacks, whatever else it has", () => {
    const encoder = recordEncoder(Category.ast)
    expect(encoder.one({ revision: 1, name: "Cats", id: 3 })).toBe('{"id":3,"name":"Cats"}')
    expect(encoder.list([])).toBe("[]")
  })
})
