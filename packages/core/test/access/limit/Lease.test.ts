import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { blockSize, giveBack, largestBlock, lease } from "../../../src/access/limit/Lease.js"

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const free = { perMinute: 60, perDay: 1_000 }

describe("leases", () => {
  it("a block is an eighth of the remaining requests, half for a single process, at least one, and shrinks to one near the limit", () => {
    const remaining = [0, 1, 2, 15, 16, 60, 2_000, 8_191, 10 ** 12]
    expect(remaining.map((count) => blockSize(free, count, "among"))).toEqual([
      0, 1, 1, 1, 2, 7, 250, 1_023, 1_024
    ])
    expect(remaining.map((count) => blockSize(free, count, "alone"))).toEqual([
      0, 1, 1, 7, 8, 30, 1_000, 1_024, 1_024
    ])
  })

  it("a block holds at most 1,024, or what the minute allows for each second where that is more", () => {
    const agreed = { perMinute: 600_000, perDay: 10 ** 9 }
    expect([free, { perMinute: 61_440, perDay: 10 ** 6 }, agreed].map(largestBlock)).toEqual([
      1_024, 1_024, 10_000
    ])
    expect(blockSize(agreed, 10 ** 9, "alone")).toBe(10_000)
  })

  it("who finds left what it left behind is alone, and takes up to half of it; who does not takes an eighth", () => {
    const [, usage] = lease(free, undefined, NOW_MS, 4)
    const taken = (left?: number) => {
      const [answer] = lease(free, usage, NOW_MS, 1_000, undefined, left)
      return answer._tag === "Granted" ? answer.lease.count : 0
    }
    expect([taken(56), taken(57), taken()]).toEqual([28, 7, 7])
  })

  it("a lease is counted in both windows, and what is given back is uncounted in both", () => {
    const [granted, usage] = lease(free, undefined, NOW_MS, 5)
    expect(granted).toMatchObject({
      _tag: "Granted",
      lease: { count: 5 },
      headers: { remaining: 55 }
    })
    if (granted._tag !== "Granted") throw new Error("refused")
    expect(usage).toMatchObject({ minuteUsed: 5, dayUsed: 5 })
    expect(giveBack(usage, { ...granted.lease, count: 3 })).toMatchObject({
      minuteUsed: 2,
      dayUsed: 2
    })
  })

  it("given back a minute later, it is uncounted in the day alone", () => {
    const [granted, first] = lease(free, undefined, NOW_MS, 5)
    const [, second] = lease(free, first, NOW_MS + 60_000, 1)
    if (granted._tag !== "Granted") throw new Error("refused")
    expect(giveBack(second, granted.lease)).toMatchObject({ minuteUsed: 1, dayUsed: 1 })
  })

  it("nothing given back to nothing is nothing", () => {
    expect(giveBack(undefined, { minuteStartMs: 0, dayStartMs: 0, count: 5 })).toMatchObject({
      minuteUsed: 0,
      dayUsed: 0
    })
  })

  it("no lease takes more than what either window has", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 60 }),
        (perMinute, perDay, wants) => {
          let usage = lease({ perMinute, perDay }, undefined, NOW_MS, 1)[1]
          for (const want of wants) {
            const [answer, next] = lease({ perMinute, perDay }, usage, NOW_MS, want)
            if (answer._tag === "Granted") expect(answer.lease.count).toBeLessThanOrEqual(want)
            usage = next
          }
          expect(usage.minuteUsed).toBeLessThanOrEqual(Math.min(perMinute, perDay))
          expect(usage.dayUsed).toBe(usage.minuteUsed)
        }
      ),
      { numRuns: 200 }
    )
  })
})
