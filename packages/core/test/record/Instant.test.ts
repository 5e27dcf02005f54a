import { describe, expect, it } from "vitest"
import { formatInstant, parseInstant } from "../../src/record/Instant.js"

describe("an instant", () => {
  it.each([
    "2023-02-30T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-01-01",
    "2024-01-01T00:00:00",
    "2016-12-31T23:59:60Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:00+24:00",
    "2024-01-01T00:00:00.Z",
    "2024-01-01 00:00:00Z",
    "0000-01-01T00:00:00+00:01",
    "+002024-01-01T00:00:00Z",
    " 2024-01-01T00:00:00Z",
    "1",
    "tomorrow",
    ""
  ])("%j is refused", (text) => expect(parseInstant(text)).toBeUndefined())

  it("takes lower-case t and z", () =>
    expect(parseInstant("2024-02-29t12:00:00z")).toBe(Date.UTC(2024, 1, 29, 12)))

  it("is cut off after the millisecond", () =>
    expect(formatInstant(parseInstant("2024-01-01T00:00:00.123999Z") ?? 0)).toBe("2024-01-01T00:00:00.123Z"))

  it("is written without milliseconds where there are none", () =>
    expect(formatInstant(0)).toBe("1970-01-01T00:00:00Z"))
})
