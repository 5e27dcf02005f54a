import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { addedLedger, EMPTY_LEDGER, joinedLedger, thinned, usedIn, withUsed } from "../../src/limit/Ledger.js"

type Entry = readonly [window: number, used: number]

/** Windows before 1970 too, some far apart; counts up to the largest that can be agreed on. */
const anyWindow = fc.oneof(
  fc.integer({ min: -5, max: 120 }),
  fc.integer({ min: 29_000_000, max: 30_000_000 })
)
const anyUsed = fc.oneof(fc.nat({ max: 60 }), fc.constant(2 ** 53 - 1))
const entries = (maxLength: number): fc.Arbitrary<ReadonlyArray<Entry>> =>
  fc.array(fc.tuple(anyWindow, anyUsed), { maxLength })

const ledgerOf = (some: ReadonlyArray<Entry>): string =>
  some.reduce((ledger, [window, used]) => withUsed(ledger, window, used), EMPTY_LEDGER)

describe("a ledger", () => {
  it("has every window's last count exactly, while there are few", () => {
    fc.assert(
      fc.property(entries(30), (some) => {
        const ledger = ledgerOf(some)
        const counts = new Map(some)
        for (let window = -6; window <= 121; window++)
          expect(usedIn(ledger, window)).toBe(counts.get(window) ?? 0)
        for (const [window, used] of counts) expect(usedIn(ledger, window)).toBe(used)
      })
    )
  })

  it("has an hour exactly, minute by minute", () => {
    const minutes = Array.from({ length: 60 }, (_, at): Entry => [29_455_555 + at, 1 + ((at * 37) % 60)])
    const ledger = ledgerOf(minutes)
    for (const [minute, used] of minutes) expect(usedIn(ledger, minute)).toBe(used)
  })

  it("understates no count and stays short, however many there are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyWindow, fc.integer({ min: 1, max: 1_000 })), { maxLength: 400 }),
        (some) => {
          let ledger = EMPTY_LEDGER
          const counts = new Map<number, number>()
          for (const [window, used] of some) {
            ledger = withUsed(ledger, window, used)
            counts.set(window, used)
            expect(ledger.length).toBeLessThanOrEqual(1_300)
          }
          for (const [window, used] of counts) expect(usedIn(ledger, window)).toBeGreaterThanOrEqual(used)
        }
      ),
      { numRuns: 50 }
    )
  })

  it("thinned out, keeps apart what differs most", () => {
    const ledger = ledgerOf([
      [1, 60],
      [2, 60],
      [3, 1],
      [4, 2],
      [9, 60]
    ])
    expect(thinned(ledger, 3)).toBe("1..2:60 3..4:2 9:60")
    expect([1, 2, 3, 4, 5, 9].map((window) => usedIn(thinned(ledger, 3), window))).toEqual([
      60, 60, 2, 2, 0, 60
    ])
  })

  it("loses the last window with its last request", () => {
    expect(
      ledgerOf([
        [5, 1],
        [6, 2],
        [6, 0]
      ])
    ).toBe("5:1")
    expect(
      ledgerOf([
        [5, 1],
        [5, 0]
      ])
    ).toBe(EMPTY_LEDGER)
  })

  it("has what was counted apart on top of what others have counted meanwhile", () => {
    fc.assert(
      fc.property(entries(10), entries(10), entries(10), (before, theirs, ours) => {
        const base = ledgerOf(before)
        const others = ledgerOf([...before, ...theirs])
        const ledger = ledgerOf([...before, ...ours])
        const sum = addedLedger(others, base, ledger)
        for (const [window] of ours) {
          const more = usedIn(ledger, window) - usedIn(base, window)
          if (usedIn(ledger, window) === 0) continue
          expect(usedIn(sum, window)).toBe(Math.max(0, usedIn(others, window) + more))
        }
        for (const [window] of before) {
          if (ours.some(([each]) => each === window)) continue
          expect(usedIn(sum, window)).toBe(usedIn(others, window))
        }
      })
    )
  })

  it("joined with another understates neither", () => {
    fc.assert(
      fc.property(entries(40), entries(40), (some, more) => {
        const [left, right] = [ledgerOf(some), thinned(ledgerOf(more), 5)]
        const both = joinedLedger(left, right)
        for (const [window] of [...some, ...more])
          expect(usedIn(both, window)).toBeGreaterThanOrEqual(
            Math.max(usedIn(left, window), usedIn(right, window))
          )
      })
    )
  })
})
