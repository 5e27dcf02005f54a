import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { parseHttpDate } from "../../src/fields/httpDate.js"

const NOW_MS = Date.UTC(2026, 6, 1)
const YEAR_MS = 366 * 86_400_000

const parts = (ms: number) => {
  const [weekday = "", day = "", month = "", year = "", time = ""] = new Date(ms)
    .toUTCString()
    .split(/,? /)
  return { weekday, day, month, year, time }
}

const FULL: Readonly<Record<string, string>> = {
  Mon: "Monday",
  Tue: "Tuesday",
  Wed: "Wednesday",
  Thu: "Thursday",
  Fri: "Friday",
  Sat: "Saturday",
  Sun: "Sunday"
}

/** The three forms of a moment (RFC 9110 §5.6.7). */
const FORMS: Readonly<Record<string, (ms: number) => string>> = {
  "IMF-fixdate": (ms) => new Date(ms).toUTCString(),
  "RFC 850": (ms) => {
    const { weekday, day, month, year, time } = parts(ms)
    return `${FULL[weekday]}, ${day}-${month}-${year.slice(2)} ${time} GMT`
  },
  asctime: (ms) => {
    const { weekday, day, month, year, time } = parts(ms)
    return `${weekday} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`
  }
}

describe("an HTTP date", () => {
  it("is read alike in the three forms of RFC 9110's own example", () => {
    const ms = Date.UTC(1994, 10, 6, 8, 49, 37)
    for (const text of [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994"
    ])
      expect([text, parseHttpDate(text, NOW_MS)]).toEqual([text, ms])
  })

  it.each(Object.entries(FORMS))(
    "is read to the second as %s, in whatever time zone we are",
    (_, write) => {
      const seconds = fc.integer({
        min: (NOW_MS - 45 * YEAR_MS) / 1_000,
        max: (NOW_MS + 45 * YEAR_MS) / 1_000
      })
      fc.assert(
        fc.property(
          seconds,
          (second) => parseHttpDate(write(second * 1_000), NOW_MS) === second * 1_000
        )
      )
    }
  )

  it("with a year of two digits is the latest that is at most 50 years ahead", () => {
    const yearOf = (text: string) => {
      const ms = parseHttpDate(text, NOW_MS)
      return ms === undefined ? undefined : new Date(ms).getUTCFullYear()
    }
    expect(yearOf("Wednesday, 01-Jul-76 00:00:00 GMT")).toBe(2076)
    expect(yearOf("Thursday, 01-Jul-76 00:00:01 GMT")).toBe(1976)
    expect(yearOf("Friday, 01-Jul-77 00:00:00 GMT")).toBe(1977)
    expect(yearOf("Friday, 01-Jul-27 00:00:00 GMT")).toBe(2027)
  })

  it.each([
    "",
    "soon",
    "2026-07-01T00:00:00Z",
    "Wed, 01 Jul 2026 00:00:00",
    "Wed, 01 Jul 2026 00:00:00 CET",
    "Wed, 01 Jul 2026 24:00:00 GMT",
    "Wed, 01 Jul 2026 00:60:00 GMT",
    "Mon, 30 Feb 2026 00:00:00 GMT",
    "Wed, 01 ulA 2026 00:00:00 GMT",
    "Wed, 01 Foo 2026 00:00:00 GMT",
    "Wednesday, 01 Jul 2026 00:00:00 GMT"
  ])("is not what %j is", (text) => {
    expect(parseHttpDate(text, NOW_MS)).toBeUndefined()
  })
})
