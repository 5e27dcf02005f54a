import { describe, expect, it } from "vitest"
import { parseDigits } from "../../src/contract/Digits.js"

describe("Digits", () => {
  it.each([
    "",
    "0x10",
    "1e3",
    "+1",
    "-1",
    "01",
    "00",
    " 1",
    "1 ",
    "1.0",
    "Infinity",
    "NaN",
    "٣",
    "9223372036854775808",
    "1".repeat(30)
  ])("%j is not plain digits of an int64", (text) => {
    expect(parseDigits(text)).toBeUndefined()
  })

  it("reads plain digits, and rounds beyond 2^53 - 1 to a number no record has", () => {
    expect(parseDigits("0")).toBe(0)
    expect(parseDigits("42")).toBe(42)
    expect(parseDigits("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER)
    expect(Number.isSafeInteger(parseDigits("9007199254740993"))).toBe(false)
    expect(Number.isSafeInteger(parseDigits("9223372036854775807"))).toBe(false)
  })
})
