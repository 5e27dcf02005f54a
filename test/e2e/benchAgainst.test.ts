/** What `npm run bench -- against` makes of its rounds. */
import { describe, expect, it } from "vitest"
import { compare, FEWEST_ROUNDS, medianInterval, type Round } from "../bench/against/compare.js"
import { comparedWorks } from "../bench/against/works.js"

/** Rounds of a version that takes 50 µs, and one that takes so many times as much. */
const rounds = (...ratios: ReadonlyArray<number>): ReadonlyArray<Round> =>
  ratios.map((ratio) => ({ beforeMicros: 50, afterMicros: 50 * ratio }))

describe("the interval of a median", () => {
  it("leaves out one of nine values at each end, whatever their order", () => {
    expect(medianInterval([9, 1, 8, 2, 7, 3, 6, 4, 5])).toEqual([2, 8])
  })

  it("is the whole range of five values, and of fewer there is none", () => {
    expect(medianInterval([5, 3, 4, 1, 2])).toEqual([1, 5])
    expect(FEWEST_ROUNDS).toBe(5)
    expect(() => medianInterval([1, 2, 3, 4])).toThrow("4 rounds are too few")
  })

  it("has the true median in it nine times of ten, and is narrower with more values", () => {
    // The sums of binomial coefficients that the sign test is about, counted out.
    for (const count of [5, 7, 9, 11, 15, 21, 31]) {
      const [from] = medianInterval(Array.from({ length: count }, (_, nth) => nth))
      let coefficient = 1
      let missed = 0
      const tail = Array.from({ length: count + 1 }, (_, nth) => {
        missed += coefficient
        coefficient = (coefficient * (count - nth)) / (nth + 1)
        return (2 * missed) / 2 ** count
      })
      expect(tail[from]).toBeLessThanOrEqual(0.1)
      expect(tail[from + 1]).toBeGreaterThan(0.1)
    }
  })
})

describe("a comparison", () => {
  it("is the median of the ratios of the pairs, not the ratio of the medians", () => {
    const drifting = [10, 20, 40, 80, 160].map((micros) => ({
      beforeMicros: micros,
      afterMicros: micros * 1.02
    }))
    const { beforeMicros, afterMicros, ratio } = compare(drifting, 1.05)
    expect(beforeMicros).toBe(40)
    expect(afterMicros).toBeCloseTo(40.8)
    expect(ratio).toBeCloseTo(1.02)
  })

  it("is within its bound while the whole interval is", () => {
    expect(compare(rounds(0.99, 1, 1.01, 1.02, 1.05), 1.05).verdict).toBe("within")
    expect(compare(rounds(0.99, 1, 1.01, 1.02, 1.06), 1.05).verdict).toBe("noisy")
  })

  it("is over its bound once the whole interval is above it", () => {
    expect(compare(rounds(1.06, 1.07, 1.08, 1.09, 1.3), 1.05).verdict).toBe("over")
    expect(compare(rounds(1.05, 1.07, 1.08, 1.09, 1.3), 1.05).verdict).toBe("noisy")
  })

  it("takes no notice of one round in nine that something befell", () => {
    const { verdict, to } = compare(rounds(1, 1.01, 0.99, 1, 1.02, 0.98, 1, 1.01, 3), 1.05)
    expect(verdict).toBe("within")
    expect(to).toBe(1.02)
  })
})

describe("what is compared", () => {
  it("has a thousand commits behind it where it writes to a file", () => {
    const onFile = comparedWorks(false).filter(({ work }) => work.storage === "file")
    const writes = onFile.filter(({ work }) => work.expected === 201)
    expect(writes.length).toBeGreaterThan(0)
    for (const { work, effort } of writes)
      expect(effort.warmUp / work.connections).toBeGreaterThanOrEqual(1_000)
  })

  it("is the same in a quick run, with whole numbers of requests", () => {
    const quick = comparedWorks(true)
    expect(quick.map(({ work }) => work)).toEqual(comparedWorks(false).map(({ work }) => work))
    for (const { effort } of quick) expect(Object.values(effort).every(Number.isInteger)).toBe(true)
  })
})
