import { describe, expect, it } from "vitest"
import { retryAfterMs } from "../../src/fields/retryAfter.js"

const NOW_MS = Date.UTC(2026, 0, 1, 12)

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["5", 5_000],
    [" 120 ", 120_000],
    ["Thu, 01 Jan 2026 12:00:09 GMT", 9_000],
    ["Thursday, 01-Jan-26 12:00:09 GMT", 9_000],
    ["Thu Jan  1 12:00:09 2026", 9_000]
  ])("%j asks for a wait, in seconds or until a date", (field, ms) => {
    expect(retryAfterMs(field, NOW_MS)).toBe(ms)
  })

  it("asks for no wait by a date that is over", () => {
    expect(retryAfterMs("Thu, 01 Jan 2026 11:00:00 GMT", NOW_MS)).toBe(0)
  })

  it("asks for the longest wait by digits without end", () => {
    expect(retryAfterMs("9".repeat(400), NOW_MS)).toBe(2 ** 31 * 1_000)
  })

  it.each([undefined, null, "", "soon", "-1", "+5", "1.5", "1e3", "0x10"])(
    "%j asks for nothing",
    (field) => {
      expect(retryAfterMs(field, NOW_MS)).toBeUndefined()
    }
  )
})
