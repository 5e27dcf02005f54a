import { FastCheck as fc, Option, Schema, SchemaAST } from "effect"
import { describe, expect, it } from "vitest"
import { Description, Name } from "../../src/schema/index.js"

/** Texts of few kinds of characters, those that matter to the rules among them. */
const texts = fc.string({
  unit: fc.constantFrom(
    "a",
    "é",
    "🐕",
    " ",
    "\t",
    "\n",
    "\u0000",
    "\u0085",
    "\u00a0",
    "\u001f",
    "\u2028",
    "\u3000",
    "\ufeff"
  ),
  maxLength: 5
})

type Hint = { readonly pattern?: string; readonly minLength?: number; readonly maxLength?: number }

const hintOf = (schema: Schema.Schema.AnyNoContext): Hint =>
  Option.getOrThrow(SchemaAST.getJSONSchemaAnnotation(schema.ast))

describe.each([
  ["names", Name],
  ["descriptions", Description]
] as const)("what the description says of %s", (_, schema) => {
  it("is what is taken", () => {
    const { pattern = "", minLength = 0, maxLength = 0 } = hintOf(schema)
    const taken = Schema.is(schema)
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          texts.map((text) => text.repeat(maxLength))
        ),
        (text) => {
          const points = Array.from(text).length
          const described =
            points >= minLength && points <= maxLength && new RegExp(pattern, "u").test(text)
          expect(taken(text)).toBe(described)
        }
      ),
      { seed: 5 }
    )
  })
})
