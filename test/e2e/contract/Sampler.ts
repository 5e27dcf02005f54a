/**
 * Makes values from schemas of the document: such as a schema allows, and such as it does not.
 * Knows nothing of the service.
 */
import type { OpenApiDocument } from "@petstore/http-adapter"
import { FastCheck as fc } from "effect"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Plain digits only hold what JavaScript holds; beyond, a number is its text. */
const MAX_SAFE = Number.MAX_SAFE_INTEGER

export type Sampler = {
  readonly valid: (schema: unknown) => fc.Arbitrary<unknown>
  /**
   * A value that differs from what is allowed in one way, named by `how`. Undefined where
   * everything is allowed.
   */
  readonly invalid: (
    schema: unknown
  ) => fc.Arbitrary<{ readonly how: string; readonly value: unknown }> | undefined
}

const numberOf = (schema: Json, name: string, otherwise: number): number => {
  const value = schema[name]
  return typeof value === "number" ? value : otherwise
}

const points = (text: string): number => Array.from(text).length

const instants = fc
  .tuple(
    fc.date({ min: new Date(0), max: new Date("9998-12-31"), noInvalidDate: true }),
    fc.constantFrom("Z", "+01:00", "-23:59", "z")
  )
  .map(([date, offset]) => date.toISOString().replace("Z", offset))

const badInstants = fc.constantFrom(
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01",
  "2026-01-01T00:00:00",
  "tomorrow",
  "1",
  ""
)

export const makeSampler = (document: OpenApiDocument): Sampler => {
  const resolve = (schema: unknown): Json => {
    if (!isObject(schema)) throw new Error("not a schema")
    const ref = schema["$ref"]
    if (typeof ref !== "string") return schema
    return resolve(document.components.schemas[ref.split("/").at(-1) ?? ""])
  }

  const texts = (schema: Json): fc.Arbitrary<string> => {
    if (schema["format"] === "date-time") return instants
    const least = numberOf(schema, "minLength", 0)
    const most = numberOf(schema, "maxLength", 40)
    const pattern =
      typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"], "u") : undefined
    const free = fc.string({ unit: "binary", minLength: least, maxLength: Math.min(most, 12) })
    const long = fc.string({ unit: "grapheme-ascii", minLength: most, maxLength: most })
    const any =
      most <= 2_000
        ? fc.oneof({ weight: 8, arbitrary: free }, { weight: 1, arbitrary: long })
        : free
    if (pattern === undefined) return any
    return fc
      .oneof(any, fc.stringMatching(pattern))
      .filter(
        (text) =>
          pattern.test(text) && points(text) >= least && points(text) <= most && text.isWellFormed()
      )
  }

  const valid = (given: unknown): fc.Arbitrary<unknown> => {
    const schema = resolve(given)
    const plain = validPlain(schema)
    return schema["nullable"] === true
      ? fc.oneof({ weight: 3, arbitrary: plain }, fc.constant(null))
      : plain
  }

  const validPlain = (schema: Json): fc.Arbitrary<unknown> => {
    const { type, enum: values, properties = {}, required = [], items, anyOf } = schema
    if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(valid))
    if (Array.isArray(values)) return fc.constantFrom(...values)
    if (type === "boolean") return fc.boolean()
    if (type === "integer") {
      const min = numberOf(schema, "minimum", 0)
      const max = Math.min(numberOf(schema, "maximum", MAX_SAFE), MAX_SAFE)
      return fc.oneof(fc.integer({ min, max: Math.min(max, min + 9) }), fc.constantFrom(min, max))
    }
    if (type === "string") return texts(schema)
    if (type === "array") return fc.array(valid(items), { minLength: 1, maxLength: 3 })
    if (type === "object" && isObject(properties) && Array.isArray(required)) {
      const members = Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, valid(each)])
      )
      return fc.record(members, { requiredKeys: required, noNullPrototype: true })
    }
    throw new Error(`no values for ${JSON.stringify(schema)}`)
  }

  const bad = (how: string, ...values: ReadonlyArray<unknown>) =>
    fc.constantFrom(...values.map((value) => ({ how, value })))

  const invalid = (given: unknown): ReturnType<Sampler["invalid"]> => {
    const schema = resolve(given)
    const {
      type,
      enum: values,
      pattern,
      format,
      properties = {},
      required = [],
      items,
      nullable
    } = schema
    const ways: Array<fc.Arbitrary<{ readonly how: string; readonly value: unknown }>> = []
    // A value that violates one of several schemas may satisfy another; the caller checks that.
    if (Array.isArray(schema["anyOf"]))
      return fc.oneof(...schema["anyOf"].flatMap((each) => invalid(each) ?? []))
    if (nullable !== true) ways.push(bad("null", null))
    if (Array.isArray(values))
      ways.push(bad("not in the enum", "", "Available", "lost", `${values[0]} `))
    else if (type === "boolean") ways.push(bad("no boolean", "yes", 1, "True", ""))
    else if (type === "integer") {
      ways.push(bad("no integer", "x", "0x10", "1e3", "+1", " 1", "01", 1.5, true, [], {}))
      ways.push(bad("below the minimum", numberOf(schema, "minimum", 0) - 1, -5))
      const max = numberOf(schema, "maximum", MAX_SAFE)
      ways.push(max < MAX_SAFE ? bad("above the maximum", max + 1) : bad("above int64", 1e30))
    } else if (type === "string") {
      ways.push(bad("no string", 5, true, [], {}))
      if (format === "date-time")
        ways.push(badInstants.map((value) => ({ how: "no instant", value })))
      if (numberOf(schema, "minLength", 0) > 0) ways.push(bad("too short", ""))
      const most = numberOf(schema, "maxLength", 0)
      if (most > 0) ways.push(bad("too long", "x".repeat(most + 1), "🐕".repeat(most + 1)))
      if (typeof pattern === "string") {
        const refused = [" ", "\t\u3000\ufeff", "a\u0000b", "\u0000", "~!", "=", ""].filter(
          (text) => !new RegExp(pattern, "u").test(text)
        )
        if (refused.length > 0) ways.push(bad("not of the pattern", ...refused))
      }
    } else if (type === "array") {
      const inner = invalid(items)
      if (inner !== undefined) ways.push(inner.map(({ how, value }) => ({ how, value: [value] })))
      const most = numberOf(schema, "maxItems", 0)
      if (most > 0) {
        ways.push(
          fc
            .array(valid(items), { minLength: most + 1, maxLength: most + 1 })
            .map((value) => ({ how: "too many", value }))
        )
      }
    } else if (type === "object" && isObject(properties) && Array.isArray(required)) {
      ways.push(bad("no object", [], "x", 5, true))
      const whole = valid(given)
      for (const name of required) {
        ways.push(
          whole.map((value) => ({ how: `without ${name}`, value: omit(value, String(name)) }))
        )
      }
      if (schema["additionalProperties"] === false) {
        ways.push(
          whole.map((value) => ({
            how: "with an unknown field",
            value: extend(value, "colour", "red")
          }))
        )
      }
      for (const [name, each] of Object.entries(properties)) {
        const inner = invalid(each)
        if (inner === undefined) continue
        ways.push(
          fc.tuple(whole, inner).map(([value, wrong]) => ({
            how: `${name} ${wrong.how}`,
            value: extend(value, name, wrong.value)
          }))
        )
      }
    }
    return ways.length === 0 ? undefined : fc.oneof(...ways)
  }

  return { valid, invalid }
}

const extend = (value: unknown, name: string, member: unknown): unknown =>
  isObject(value) ? { ...value, [name]: member } : value

const omit = (value: unknown, name: string): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
    : value
