import { describe, expect, it } from "vitest"
import {
  formatInstant,
  instantProblem,
  parseInstant,
  readInstant
} from "../../src/value/Instant.js"

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
    "0000-01-01T00:00:00Z",
    "0000-12-31T23:59:59.999Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-00:01",
    "+002024-01-01T00:00:00Z",
    " 2024-01-01T00:00:00Z",
    "1",
    "tomorrow",
    ""
  ])("%j is refused", (text) => expect(parseInstant(text)).toBeUndefined())

  it.each([
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["0000-12-31T23:00:00-02:00", "0001-01-01T01:00:00Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("%s is of the years 1 to 9999 in UTC, and taken", (text, shown) =>
    expect(formatInstant(parseInstant(text) ?? 0)).toBe(shown)
  )

  it("of the year 0 is read where it was stored", () => {
    expect(readInstant("0000-01-01T00:00:00Z")).toBe(-62_167_219_200_000)
    expect(readInstant("0000-01-01T00:00:00+00:01")).toBeUndefined()
  })

  it.each([
    ["1990-12-31T23:59:60Z", "seconds from 00 to 59, since leap seconds are not kept"],
    ["1990-12-31T15:59:60.5-08:00", "seconds from 00 to 59, since leap seconds are not kept"],
    ["0001-01-01T00:00:00+14:00", "an instant of the years 1 to 9999 in UTC"],
    ["1990-12-31T23:59:61Z", undefined],
    ["1990-02-30T23:59:60Z", undefined],
    ["tomorrow", undefined],
    [5, undefined]
  ])("refused, %s is told what RFC 3339 has and the store has not", (text, problem) =>
    expect(instantProblem(text)).toBe(problem)
  )

  it("takes lower-case t and z", () =>
    expect(parseInstant("2024-02-29t12:00:00z")).toBe(Date.UTC(2024, 1, 29, 12)))

  it("is cut off after the millisecond", () =>
    expect(formatInstant(parseInstant("2024-01-01T00:00:00.123999Z") ?? 0)).toBe(
      "2024-01-01T00:00:00.123Z"
    ))

  it("is written without milliseconds where there are none", () =>
    expect(formatInstant(0)).toBe("1970-01-01T00:00:00Z"))
})
