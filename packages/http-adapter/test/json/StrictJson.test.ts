import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { MAX_DEPTH, parseJson } from "../../src/json/StrictJson.js"

const value = (text: string) =>
  Either.getOrThrowWith(parseJson(text), ({ expected }) => new Error(expected))

const fault = (text: string) =>
  Either.match(parseJson(text), {
    onLeft: ({ expected }) => expected,
    onRight: (read) => ({ read })
  })

describe("StrictJson", () => {
  it.each([
    "",
    " ",
    "{",
    "{bad",
    "[1,]",
    '{"a":1,}',
    '{"a" 1}',
    "{a:1}",
    "'a'",
    '"a',
    '"\\x"',
    '"\\u12g4"',
    '"\\u12',
    '"tab\there"',
    "tru",
    "nul",
    "NaN",
    "Infinity",
    "-",
    "+1",
    "01",
    "-01",
    "1.",
    ".5",
    "1e",
    "1e+",
    "0x10",
    "1 2",
    "{} {}",
    "\ufeff{}",
    "\u00a01",
    "/* */1"
  ])("refuses %j", (text) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(typeof fault(text)).toBe("string")
  })

  it("says where and what was expected, with a short piece of the text", () => {
    expect(fault("{bad")).toBe('expected a member name in double quotes at position 1, got "b"')
    expect(fault('{"a":1')).toBe("expected , or }, but the text ends at position 6")
    expect(fault("{}}")).toBe('expected nothing after the value at position 2, got "}"')
    expect(fault("\ufeff{}")).toBe('expected a JSON value at position 0, got "\ufeff"')
  })

  it("refuses a duplicate member by name, at any depth", () => {
    expect(fault('{"quantity":1,"quantity":-1}')).toBe(
      'expected each member once, got "quantity" twice'
    )
    expect(fault('[{"a":{"b":1,"\\u0062":2}}]')).toBe('expected each member once, got "b" twice')
    expect(fault('{"__proto__":1,"__proto__":2}')).toBe(
      'expected each member once, got "__proto__" twice'
    )
  })

  it("keeps names of Object.prototype as plain data", () => {
    const read = value(
      '{"__proto__":{"polluted":true},"constructor":1,"toString":2,"hasOwnProperty":3}'
    )
    expect(Object.keys(Object(read))).toEqual([
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty"
    ])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect("polluted" in {}).toBe(false)
  })

  it("takes nesting up to its bound, and no more, however deep the text is", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    expect(Either.isRight(parseJson(nested(MAX_DEPTH)))).toBe(true)
    expect(fault(nested(MAX_DEPTH + 1))).toBe("expected at most 32 levels of nesting, got more")
    expect(fault(nested(64))).toBe("expected at most 32 levels of nesting, got more")
    expect(fault('{"a":'.repeat(100_000))).toBe("expected at most 32 levels of nesting, got more")
  })

  it("reads whole numbers in plain digits exactly, as far as JavaScript can", () => {
    expect(value("[0,-0,7,-7,123456789012345,1234567890123456]")).toEqual([
      0, 0, 7, -7, 123456789012345, 1234567890123456
    ])
    expect(value("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER)
    expect(value("-9007199254740991")).toBe(Number.MIN_SAFE_INTEGER)
  })

  it("rounds an int64 beyond 2^53 - 1 to a number that is not a safe integer", () => {
    for (const digits of [
      "9007199254740992",
      "9007199254740993",
      "9223372036854775807",
      "-9223372036854775808"
    ]) {
      expect(value(digits)).toBe(Number(digits))
      expect(Number.isSafeInteger(value(digits))).toBe(false)
    }
  })

  it("makes a whole number beyond int64 infinite", () => {
    expect(value("9223372036854775808")).toBe(Number.POSITIVE_INFINITY)
    expect(value("-9223372036854775809")).toBe(Number.NEGATIVE_INFINITY)
    expect(value("1".repeat(1_000))).toBe(Number.POSITIVE_INFINITY)
  })

  it("makes a whole number in any other writing NaN, and keeps fractions", () => {
    expect(value("[1e3,1.0,10e-1,0.0,-1E2,1.5e1]")).toEqual(
      Array.from({ length: 6 }, () => Number.NaN)
    )
    expect(value("[0.5,-1.25,1e-3,1e400]")).toEqual([0.5, -1.25, 0.001, Number.POSITIVE_INFINITY])
  })

  it("keeps a lone surrogate as it is, for the schema to refuse", () => {
    expect(value('"\\ud800"')).toBe("\ud800")
    expect(value('"\\ud83d\\ude00"')).toBe("😀")
  })
})

describe("how deep a text may be", () => {
  it("is a parameter, with 32 levels by default", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
    expect(Either.isRight(parseJson(nested(32)))).toBe(true)
    expect(Either.isRight(parseJson(nested(33)))).toBe(false)
    expect(Either.isRight(parseJson(nested(3), 3))).toBe(true)
    expect(parseJson(nested(4), 3)).toEqual(
      Either.left({ expected: "expected at most 3 levels of nesting, got more" })
    )
  })
})
