import { Either, FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { CategoryPatch, NewCategory } from "../../src/record/Category.js"
import { decoder } from "../../src/record/Decoder.js"
import { InventoryUpdate } from "../../src/record/InventoryItem.js"
import { NewOrder, OrderPatch } from "../../src/record/Order.js"
import { NewPet, PetPatch } from "../../src/record/Pet.js"

const word = fc.constantFrom(
  "name",
  "categoryId",
  "status",
  "description",
  "petId",
  "quantity",
  "shipDate",
  "complete",
  "id",
  "__proto__",
  "constructor"
)
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    "available",
    "sold",
    "",
    "2024-01-01T00:00:00Z",
    "2023-02-30T00:00:00Z",
    null,
    undefined,
    true,
    [],
    {},
    0,
    1,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    2 ** 64,
    Number.NaN,
    Number.POSITIVE_INFINITY
  ),
  fc.string(),
  fc.integer()
)
const candidate = fc.oneof(
  leaf,
  fc.array(fc.tuple(word, leaf), { maxLength: 5 }).map((members) => Object.fromEntries(members) as unknown)
)

const schemas: ReadonlyArray<readonly [string, Schema.Schema<never, unknown> | Schema.Schema.AnyNoContext]> =
  [
    ["NewPet", NewPet],
    ["PetPatch", PetPatch],
    ["NewCategory", NewCategory],
    ["CategoryPatch", CategoryPatch],
    ["NewOrder", NewOrder],
    ["OrderPatch", OrderPatch],
    ["InventoryUpdate", InventoryUpdate]
  ]

describe("a compiled decoder", () => {
  it.each(schemas)("of %s decides as its schema does", (_name, schema) => {
    const compiled = decoder(Schema.asSchema(schema))
    const oracle = Schema.decodeUnknownEither(Schema.asSchema(schema), { onExcessProperty: "error" })
    fc.assert(
      fc.property(candidate, (input) => {
        const expected = oracle(input)
        const got = compiled(input)
        expect(Either.isRight(got)).toBe(Either.isRight(expected))
        if (Either.isRight(got) && Either.isRight(expected)) expect(got.right).toEqual(expected.right)
      }),
      { numRuns: 500 }
    )
  })
})
