import { Either, Option, Schema } from "effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import {
  once,
  PathId,
  type ParameterType,
  readerOf,
  repeated
} from "../../src/contract/Parameter.js"

const text = FastCheck.oneof(
  FastCheck.string(),
  FastCheck.bigInt().map(String),
  FastCheck.nat().map(String),
  FastCheck.double().map(String),
  FastCheck.constantFrom(
    "true",
    "false",
    "0",
    "01",
    "1e3",
    "9007199254740993",
    "9223372036854775808"
  )
)

/** What the schema makes of a value; undefined where it refuses it. */
const bySchema = (schema: Schema.Schema.AnyNoContext) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (given: unknown): unknown => Either.getOrUndefined(decode(given))
}

const readBy = (schema: Schema.Schema.AnyNoContext) => Option.getOrThrow(readerOf(schema.ast)).read

describe("Parameter", () => {
  it("the fast reader of a path id is its schema", () => {
    const decode = bySchema(PathId)
    FastCheck.assert(
      FastCheck.property(text, (given) => {
        expect(readBy(PathId)(given)).toBe(decode(given))
      })
    )
  })

  it.each<ParameterType>(["integer", "boolean", "text"])(
    "the fast reader of a query's %s is its schema",
    (type) => {
      const decodeOnce = bySchema(once(type))
      const decodeRepeated = bySchema(repeated(type))
      FastCheck.assert(
        FastCheck.property(text, (given) => {
          const value = readBy(once(type))(given)
          expect(decodeOnce(given)).toBe(value)
          expect(decodeRepeated([given, given])).toEqual(
            value === undefined ? undefined : [value, value]
          )
        })
      )
    }
  )
})
