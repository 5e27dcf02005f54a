import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  EARLIEST_INSTANT_MS,
  formatInstant,
  LATEST_INSTANT_MS,
  parseInstant,
  readInstant
} from "../../src/value/Instant.js"

/** From the year 0 on, of which earlier versions have stored some. */
const instantMs = fc.integer({ min: -62_167_219_200_000, max: LATEST_INSTANT_MS })
const two = (part: number) => String(part).padStart(2, "0")

describe("instants", () => {
  it("read back as they were written", () => {
    fc.assert(
      fc.property(instantMs, (ms) => {
        expect(readInstant(formatInstant(ms))).toBe(ms)
        expect(parseInstant(formatInstant(ms))).toBe(ms >= EARLIEST_INSTANT_MS ? ms : undefined)
      })
    )
  })

  it("written with any offset are the same instant", () => {
    const within = fc.integer({
      min: EARLIEST_INSTANT_MS,
      max: LATEST_INSTANT_MS - 86_400_000
    })
    fc.assert(
      fc.property(within, fc.integer({ min: -1439, max: 1439 }), (ms, offset) => {
        const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1)
        const sign = offset < 0 ? "-" : "+"
        const text = `${local}${sign}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
        expect(parseInstant(text)).toBe(ms)
      })
    )
  })

  it("exist exactly on the days the calendar has", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
          const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
          const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T00:00:00Z`
          expect(parseInstant(text) !== undefined).toBe(day >= 1 && day <= days)
        }
      )
    )
  })
})
