import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { decoderOf, NewOrder, NewPet, Pet } from "../src/schema/index.js"

describe("the schema of a record", () => {
  it("is a struct, whose members can be part of another", () => {
    const Tag = Schema.Struct({ ...Pet.fields, cage: Schema.String })
    const tag = { id: 1, name: "Goldie", categoryId: 1, status: "sold", cage: "B" } as const
    expect(Schema.decodeUnknownSync(Tag)(tag)).toEqual(tag)
  })

  it("writes instants as texts and reads them as milliseconds", () => {
    expect(Schema.encodeSync(NewOrder)({ shipDate: 0 })).toEqual({ shipDate: "1970-01-01T00:00:00Z" })
    expect(Schema.decodeSync(NewOrder)({ shipDate: "1970-01-01T00:00:01Z" })).toEqual({ shipDate: 1_000 })
  })

  it("has its decoder with it, which that of another schema has not", () => {
    expect(decoderOf(NewPet)({ name: "Rex", categoryId: 1 })).toEqual(
      Either.right({ name: "Rex", categoryId: 1 })
    )
    expect(() => decoderOf(Schema.Struct({ name: Schema.String }))).toThrow("not the schema of a record")
    expect(() => decoderOf(NewPet.pipe(Schema.partial))).toThrow("not the schema of a record")
  })
})
