import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as schemas from "../../src/schema/index.js"
import { decoderOf, NewOrder, NewPet, Order, OrderPatch, Pet } from "../../src/schema/index.js"

describe("the schema of a record", () => {
  it("is a struct, whose members can be part of another", () => {
    const Tag = Schema.Struct({ ...Pet.fields, cage: Schema.String })
    const tag = { id: 1, name: "Goldie", categoryId: 1, status: "sold", cage: "B" } as const
    expect(Schema.decodeUnknownSync(Tag)(tag)).toEqual(tag)
  })

  it("writes instants as texts and reads them as milliseconds", () => {
    expect(Schema.encodeSync(NewOrder)({ shipDate: 0 })).toEqual({
      shipDate: "1970-01-01T00:00:00Z"
    })
    expect(Schema.decodeSync(NewOrder)({ shipDate: "1970-01-01T00:00:01Z" })).toEqual({
      shipDate: 1_000
    })
  })

  it("takes instants of the years 1 to 9999, and reads in an order the year 0 of earlier versions", () => {
    const shipDate = "0000-06-01T00:00:00Z"
    const ms = -62_154_086_400_000
    expect(Schema.decodeSync(Order)({ shipDate })).toEqual({ shipDate: ms })
    expect(Schema.encodeSync(Order)({ shipDate: ms })).toEqual({ shipDate })
    for (const decode of [
      Schema.decodeUnknownEither(NewOrder),
      Schema.decodeUnknownEither(OrderPatch)
    ]) {
      const answer = decode({ shipDate })
      expect(Either.isLeft(answer) && answer.left.message).toContain(
        'Expected an instant of the years 1 to 9999 in UTC, actual "0000-06-01T00:00:00Z"'
      )
    }
    const written = Schema.encodeEither(NewOrder)({ shipDate: Number.NaN })
    expect(Either.isLeft(written) && written.left.message).toContain(
      "Expected an RFC 3339 date-time"
    )
  })

  it("says what is wrong in few words, however deep a value goes", () => {
    let deep: unknown = []
    for (let depth = 0; depth < 5_000; depth++) deep = depth % 2 === 0 ? [deep] : { deep }
    const {
      decoderOf: _decoderOf,
      fieldSchema: _fieldSchema,
      recordSchema: _recordSchema,
      ...every
    } = schemas
    const all: ReadonlyArray<Schema.Schema.AnyNoContext> = Object.values(every)
    for (const schema of all) {
      const members = "fields" in schema ? Object.keys(Object(schema.fields)) : []
      const values = [deep, { other: deep }, ...members.map((member) => ({ [member]: deep }))]
      const decode = Schema.decodeUnknownEither(schema, {
        errors: "all",
        onExcessProperty: "error"
      })
      for (const value of values) {
        const answer = decode(value)
        expect(Either.isLeft(answer)).toBe(true)
        if (Either.isRight(answer)) continue
        expect(answer.left.message.length).toBeLessThan(2_000)
        expect(String(answer.left)).toContain(answer.left.message)
        expect(JSON.stringify(answer.left).length).toBeLessThan(3_000)
      }
    }
    const [message] = [Schema.decodeUnknownEither(NewPet)({ name: deep, categoryId: 1 })].map(
      (answer) => Either.isLeft(answer) && answer.left.message
    )
    expect(message).toContain("Expected 1 to 200 characters, not blank")
  })

  it("has its decoder with it, which that of another schema has not", () => {
    expect(decoderOf(NewPet)({ name: "Rex", categoryId: 1 })).toEqual(
      Either.right({ name: "Rex", categoryId: 1 })
    )
    expect(() => decoderOf(Schema.Struct({ name: Schema.String }))).toThrow(
      "not the schema of a record"
    )
    expect(() => decoderOf(NewPet.pipe(Schema.partial))).toThrow("not the schema of a record")
  })
})
