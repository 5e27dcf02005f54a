import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  addedLedger,
  EMPTY_LEDGER,
  compact,
  usedIn,
  withoutWindow,
  withRange,
  withUsed
} from "../../../src/access/limit/Ledger.js"

type Entry = readonly [window: number, used: number]

/** Windows before 1970 too, some far apart; counts up to the largest that can be agreed on. */
const anyWindow = fc.oneof(
  fc.integer({ min: -5, max: 120 }),
  fc.integer({ min: 29_000_000, max: 30_000_000 })
)
const anyUsed = fc.oneof(fc.nat({ max: 60 }), fc.constant(2 ** 53 - 1))
const entries = (maxLength: number, used = anyUsed): fc.Arbitrary<ReadonlyArray<Entry>> =>
  fc.array(fc.tuple(anyWindow, used), { maxLength })

const ledgerOf = (some: ReadonlyArray<Entry>): string =>
  some.reduce((ledger, [window, used]) => withUsed(ledger, window, used), EMPTY_LEDGER)

describe("a ledger", () => {
  it("has every window's last count exactly, while there are few", () => {
    fc.assert(
      fc.property(entries(30), anyWindow, (some, gone) => {
        const ledger = ledgerOf(some)
        const counts = new Map(some)
        for (let window = -6; window <= 121; window++)
          expect(usedIn(ledger, window)).toBe(counts.get(window))
        for (const [window, used] of counts) expect(usedIn(ledger, window)).toBe(used)
        const rest = withoutWindow(ledger, gone)
        for (const [window, used] of counts)
          expect(usedIn(rest, window)).toBe(window === gone ? undefined : used)
      })
    )
  })

  it("has an hour exactly, minute by minute", () => {
    const minutes = Array.from({ length: 60 }, (_, at): Entry => [
      29_455_555 + at,
      1 + ((at * 37) % 60)
    ])
    const ledger = ledgerOf(minutes)
    for (const [minute, used] of minutes) expect(usedIn(ledger, minute)).toBe(used)
  })

  it("understates no count and stays short, however many there are", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyWindow, anyUsed), { maxLength: 400 }), (some) => {
        let ledger = EMPTY_LEDGER
        const counts = new Map<number, number>()
        for (const [window, used] of some) {
          ledger = withUsed(ledger, window, used)
          counts.set(window, used)
          expect(ledger.length).toBeLessThan(1_500)
        }
        for (const [window, used] of counts)
          expect(usedIn(ledger, window)).toBeGreaterThanOrEqual(used)
      }),
      { numRuns: 50 }
    )
  })

  it("compacted, keeps apart what differs most", () => {
    const ledger = ledgerOf([
      [1, 60],
      [2, 60],
      [3, 1],
      [4, 2],
      [9, 60]
    ])
    const thin = compact(ledger, 3)
    expect(thin).toBe("1+1:60 3+1:2 9:60")
    expect([1, 2, 3, 4, 5, 9].map((window) => usedIn(thin, window))).toEqual([
      60,
      60,
      2,
      2,
      undefined,
      60
    ])
    expect(withUsed(thin, 3, 1)).toBe("1+1:60 3:1 4:2 9:60")
  })

  it("has what was counted apart on top of what others have counted meanwhile", () => {
    const few = entries(10, fc.nat({ max: 60 }))
    fc.assert(
      fc.property(few, few, few, (before, theirs, ours) => {
        const base = ledgerOf(before)
        const others = ledgerOf([...before, ...theirs])
        const ledger = ledgerOf([...before, ...ours])
        const sum = addedLedger(others, base, ledger)
        const windows = new Set([...before, ...theirs, ...ours].map(([window]) => window))
        for (const window of windows) {
          const of = (each: string): number => usedIn(each, window) ?? 0
          expect(of(sum)).toBe(Math.max(0, of(others) + of(ledger) - of(base)))
        }
      })
    )
  })

  it("with a range understates nothing", () => {
    fc.assert(
      fc.property(
        entries(40),
        anyWindow,
        fc.nat({ max: 2_000 }),
        anyUsed,
        (some, first, more, used) => {
          const ledger = ledgerOf(some)
          const both = withRange(ledger, first, first + more, used)
          for (const [window] of some)
            expect(usedIn(both, window)).toBeGreaterThanOrEqual(usedIn(ledger, window) ?? 0)
          for (const window of [first, first + more])
            expect(usedIn(both, window)).toBeGreaterThanOrEqual(used)
        }
      )
    )
  })
})
