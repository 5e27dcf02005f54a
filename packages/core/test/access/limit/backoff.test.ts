import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { backoffMs } from "../../../src/access/limit/backoff.js"

const anyRandom = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

describe("backoffMs", () => {
  it("is never less than Retry-After, and at most a second more", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 99 }),
        anyRandom,
        (told, attempt, random) => {
          const waitMs = backoffMs(attempt, told, () => random)
          expect(waitMs).toBeGreaterThanOrEqual(told * 1_000)
          expect(waitMs).toBeLessThanOrEqual(told * 1_000 + 1_000)
        }
      )
    )
  })

  it("doubles from try to try without Retry-After, with jitter, up to 30 seconds", () => {
    const bounds = [1, 2, 3, 4, 8, 9, 1_000].map((attempt) => [
      backoffMs(attempt, undefined, () => 0),
      backoffMs(attempt, undefined, () => 0.999_999_9)
    ])
    expect(bounds).toEqual([
      [125, 250],
      [250, 500],
      [500, 1_000],
      [1_000, 2_000],
      [15_000, 30_000],
      [15_000, 30_000],
      [15_000, 30_000]
    ])
  })

  it("a client does not wait for longer than its patience", () => {
    expect(backoffMs(1, 120, () => 0)).toBe(120_000)
    expect(backoffMs(1, 121, () => 0)).toBeUndefined()
  })
})
