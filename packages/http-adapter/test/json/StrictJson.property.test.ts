import { Either } from "effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { parseJson } from "../../src/json/StrictJson.js"

/**
 * What this parser makes of a value that `JSON.stringify` wrote: the same, but for whole numbers
 * not written in digits.
 */
const expected = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, expected(member)])
    )
  }
  if (typeof value !== "number" || !Number.isInteger(value)) return value
  if (Object.is(value, -0)) return 0
  if (/[.e]/.test(String(value))) return Number.NaN
  return Math.abs(value) > 2 ** 63 ? value * Number.POSITIVE_INFINITY : value
}

const flat = (text: string) =>
  Either.getOrElse(parseJson(text), ({ expected: wanted }) => new Error(wanted))

const refuses = (parse: (text: string) => unknown, text: string) => {
  try {
    return parse(text) instanceof Error
  } catch {
    return true
  }
}

describe("StrictJson", () => {
  it("reads every value that JSON.stringify writes, with blanks or without", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.jsonValue({ maxDepth: 6 }),
        FastCheck.constantFrom(0, 1, "\t"),
        (value, space) => {
          const plain: unknown = JSON.parse(JSON.stringify(value))
          expect(flat(JSON.stringify(value, null, space))).toEqual(expected(plain))
        }
      ),
      { numRuns: 500 }
    )
  })

  it("refuses every altered text that JSON.parse refuses", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.jsonValue({ maxDepth: 3 }),
        FastCheck.nat(),
        FastCheck.constantFrom(
          "",
          ",",
          '"',
          "}",
          "]",
          "{",
          "0",
          "-",
          ".",
          "e",
          "\\",
          "\u0001",
          " ",
          "a"
        ),
        (value, place, insert) => {
          const text = JSON.stringify(value)
          const at = place % (text.length + 1)
          const altered = text.slice(0, at) + insert + text.slice(insert === "" ? at + 1 : at)
          if (refuses(JSON.parse, altered)) expect(refuses(flat, altered)).toBe(true)
        }
      ),
      { numRuns: 1_000 }
    )
  })
})
