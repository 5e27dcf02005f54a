import { describe, expect, it } from "vitest"
import { DEFAULT_BAN_POLICY } from "../../../src/access/limit/Ban.js"
import { explain } from "../../../src/access/limit/Explanation.js"
import { rateLimit } from "../../../src/access/limit/RateLimit.js"
import { standingOf } from "../../../src/access/limit/Standing.js"
import type { UsageRecord } from "../../../src/engine/port/Usage.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const caller = (limits = { perMinute: 2, perDay: 100 }) => {
  let usage: UsageRecord | undefined
  const ask = (...atSeconds: ReadonlyArray<number>): void => {
    for (const second of atSeconds)
      usage = rateLimit(limits, usage, NOON_MS + second * SECOND_MS)[1]
  }
  const told = (atMs: number) =>
    explain(
      "Account 3 on the plan free",
      limits,
      standingOf(limits, usage, atMs),
      DEFAULT_BAN_POLICY,
      atMs
    )
  return { ask, told }
}

describe("explain", () => {
  it("a caller that never came would be admitted, and has no refusal to tell of", () => {
    const told = caller().told(NOON_MS)
    expect(told).toMatchObject({
      admittedFromMs: NOON_MS,
      lastRefusal: null,
      strikes: { count: 0, of: 10 }
    })
    expect(told.text).toBe(
      "Account 3 on the plan free has used 0 of 2 requests of this UTC minute, which ends at 2026-01-31T12:01:00Z, and 0 of 100 requests of this UTC day, which ends at 2026-02-01T00:00:00Z. Its next request is admitted. No refusal is remembered."
    )
  })

  it("the explanation for a used-up minute has its end and the strikes", () => {
    const { ask, told } = caller()
    ask(10, 11, 12, 14, 15)
    const now = told(NOON_MS + 20 * SECOND_MS)
    expect(now).toMatchObject({
      admittedFromMs: NOON_MS + MINUTE_MS,
      lastRefusal: { by: "minute", atMs: NOON_MS + 12 * SECOND_MS, untilMs: NOON_MS + MINUTE_MS },
      strikes: { count: 2, of: 10, nextLapseMs: NOON_MS + 14 * SECOND_MS + 10 * MINUTE_MS }
    })
    expect(now.text).toContain(
      "It is refused until 2026-01-31T12:01:00Z: the minute's requests are used up until 2026-01-31T12:01:00Z. It was last refused from 2026-01-31T12:00:12Z on, because the minute's requests were used up, and told to wait until 2026-01-31T12:01:00Z. 2 of 10 strikes count towards a ban; the oldest lapses at 2026-01-31T12:10:14Z."
    )
  })

  it("the last refusal is remembered after the caller was admitted again", () => {
    const { ask, told } = caller()
    ask(0, 1, 2, 61)
    expect(told(NOON_MS + HOUR_MS)).toMatchObject({
      admittedFromMs: NOON_MS + HOUR_MS,
      lastRefusal: { by: "minute", atMs: NOON_MS + 2 * SECOND_MS, untilMs: NOON_MS + MINUTE_MS }
    })
  })

  it("the day is named when it is the day that refuses", () => {
    const { ask, told } = caller({ perMinute: 9, perDay: 1 })
    ask(0, 1)
    const now = told(NOON_MS + 2 * SECOND_MS)
    expect(now.lastRefusal?.by).toBe("day")
    expect(now.text).toContain(
      "It is refused until 2026-02-01T00:00:00Z: the day's requests are used up until 2026-02-01T00:00:00Z."
    )
  })

  it("of a ban and a day that is used up, the one that ends later is why the caller waits", () => {
    const { ask, told } = caller({ perMinute: 9, perDay: 1 })
    ask(0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    const now = told(NOON_MS + 20 * SECOND_MS)
    expect(now.bannedUntilMs).not.toBeNull()
    expect(now.text).toContain(
      "It is refused until 2026-02-01T00:00:00Z: the day's requests are used up until 2026-02-01T00:00:00Z. It was"
    )
  })

  it("the explanation of a ban has its end, and afterwards says that it was the last refusal", () => {
    const { ask, told } = caller()
    ask(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
    const during = told(NOON_MS + 20 * SECOND_MS)
    expect(during).toMatchObject({ admittedFromMs: NOON_MS + 133 * SECOND_MS, bans: 1 })
    expect(during.text).toContain(
      "It is refused until 2026-01-31T12:02:13Z: it is banned until 2026-01-31T12:02:13Z for repeating requests before Retry-After was over. It was"
    )
    const after = told(NOON_MS + HOUR_MS)
    expect(after).toMatchObject({ bannedUntilMs: null, lastRefusal: { by: "ban" } })
    expect(after.text).toContain("Bans in a row so far: 1; each further one is twice as long.")
  })
})
