import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { DEFAULT_BAN_POLICY } from "../../../src/access/limit/Ban.js"
import { SPECIFIED_PLANS } from "../../../src/access/account/Plan.js"
import { replay, type TracedRequest } from "../../../src/access/limit/replay.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const { free, pro } = SPECIFIED_PLANS

const every = (
  gapMs: number,
  count: number,
  key = "a",
  fromMs = NOON_MS
): ReadonlyArray<TracedRequest> =>
  Array.from({ length: count }, (_, nth) => ({ atMs: fromMs + nth * gapMs, key }))

describe("replay", () => {
  it("says for each minute and key what would have been admitted, refused and banned", () => {
    const trace = [...every(500, 240), ...every(SECOND_MS, 30, "b", NOON_MS + MINUTE_MS)]
    expect(replay(trace, free)).toEqual({
      total: { admitted: 90, refused: 11, banned: 169 },
      keys: [
        { key: "a", admitted: 60, refused: 11, banned: 169 },
        { key: "b", admitted: 30, refused: 0, banned: 0 }
      ],
      minutes: [
        {
          startMs: NOON_MS,
          admitted: 60,
          refused: 11,
          banned: 49,
          keys: [{ key: "a", admitted: 60, refused: 11, banned: 49 }]
        },
        {
          startMs: NOON_MS + MINUTE_MS,
          admitted: 30,
          refused: 0,
          banned: 120,
          keys: [
            { key: "a", admitted: 0, refused: 0, banned: 120 },
            { key: "b", admitted: 30, refused: 0, banned: 0 }
          ]
        }
      ],
      outOfOrder: 30
    })
  })

  it("a higher plan and no bans admit what they would have admitted", () => {
    expect(replay(every(500, 240), pro).total).toEqual({ admitted: 240, refused: 0, banned: 0 })
    const noBans = { ...DEFAULT_BAN_POLICY, strikes: Infinity }
    expect(replay(every(500, 240), free, noBans).total).toEqual({
      admitted: 120,
      refused: 120,
      banned: 0
    })
  })

  it("minutes without requests are not listed, and an empty trace lists nothing", () => {
    const sparse = replay(every(10 * MINUTE_MS, 3), free)
    expect(sparse.minutes.map(({ startMs }) => (startMs - NOON_MS) / MINUTE_MS)).toEqual([
      0, 10, 20
    ])
    expect(replay([], free)).toEqual({
      total: { admitted: 0, refused: 0, banned: 0 },
      keys: [],
      minutes: [],
      outOfOrder: 0
    })
  })

  it("the order of the lines makes no difference but for the count of those out of order", () => {
    const anyTrace = fc.array(
      fc.record({
        atMs: fc.integer({ min: NOON_MS, max: NOON_MS + 5 * MINUTE_MS }),
        key: fc.constantFrom("a", "b")
      }),
      { maxLength: 300 }
    )
    fc.assert(
      fc.property(anyTrace, (trace) => {
        const limits = { perMinute: 7, perDay: 20 }
        const sorted = replay(
          trace.toSorted((left, right) => left.atMs - right.atMs),
          limits
        )
        const { total, minutes } = replay(trace, limits)
        expect([total, minutes.map(({ startMs, admitted }) => [startMs, admitted])]).toEqual([
          sorted.total,
          sorted.minutes.map(({ startMs, admitted }) => [startMs, admitted])
        ])
        expect(sorted.outOfOrder).toBe(0)
        expect(total.admitted + total.refused + total.banned).toBe(trace.length)
        for (const { admitted } of minutes) expect(admitted).toBeLessThanOrEqual(14)
      })
    )
  })
})
