import { describe, expect, it } from "vitest"
import { DEFAULT_BAN_POLICY, withoutBans } from "../../../src/access/limit/Ban.js"
import type { Decision } from "../../../src/access/limit/Decision.js"
import { rateLimit } from "../../../src/access/limit/RateLimit.js"
import type { UsageRecord } from "../../../src/engine/port/Usage.js"

const START_MS = Date.UTC(2026, 0, 31, 1)
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** A caller with one request a day, so that every further one is refused. */
const refusedCaller = (policy = DEFAULT_BAN_POLICY) => {
  let usage: UsageRecord | undefined
  const ask = (nowMs: number, limits = { perMinute: 1, perDay: 1 }): Decision => {
    const [decision, next] = rateLimit(limits, usage, nowMs, policy)
    usage = next
    return decision
  }
  /**
   * A refusal at `fromMs`, then ten strikes a second apart after the grace period; the last record.
   */
  const provoke = (fromMs: number): Decision => {
    for (const second of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) ask(fromMs + second * SECOND_MS)
    return ask(fromMs + 10 * SECOND_MS)
  }
  const pardon = () => {
    if (usage !== undefined) usage = withoutBans(usage)
  }
  return { ask, provoke, pardon, usage: () => usage }
}

const hours = (count: number): number => START_MS + count * HOUR_MS

describe("bans", () => {
  it("the tenth strike starts a ban of two minutes", () => {
    const { ask, provoke } = refusedCaller()
    ask(START_MS)
    expect(provoke(START_MS)).toMatchObject({
      _tag: "KeyBanned",
      untilMs: START_MS + 130 * SECOND_MS
    })
  })

  it("during a ban the fields have the minute's own reset; Retry-After has the end of the ban, or the reset if that is later", () => {
    const limits = { perMinute: 1, perDay: 1_000 }
    const headersUntil = (resetMs: number) => ({
      window: "minute",
      limit: 1,
      remaining: 0,
      resetSeconds: resetMs / 1_000
    })
    const { ask } = refusedCaller()
    for (let second = 0; second < 11; second++) ask(START_MS + second * SECOND_MS, limits)
    const untilMs = START_MS + 131 * SECOND_MS
    expect(ask(START_MS + 11 * SECOND_MS, limits)).toEqual({
      _tag: "KeyBanned",
      untilMs,
      retryAfterSeconds: 120,
      headers: headersUntil(START_MS + MINUTE_MS)
    })
    expect(ask(START_MS + 121 * SECOND_MS, limits)).toEqual({
      _tag: "KeyBanned",
      untilMs,
      retryAfterSeconds: 59,
      headers: headersUntil(START_MS + 3 * MINUTE_MS)
    })
    expect(ask(untilMs, limits)._tag).toBe("Admitted")
  })

  it("a caller that is banned with its day used up waits for the end of the day, and is admitted then", () => {
    const { ask, provoke } = refusedCaller()
    ask(START_MS)
    const told = provoke(START_MS)
    expect(told).toMatchObject({
      _tag: "KeyBanned",
      retryAfterSeconds: 23 * 3_600 - 10,
      headers: { window: "day", limit: 1, remaining: 0, resetSeconds: hours(23) / 1_000 }
    })
    expect(ask(hours(23))._tag).toBe("Admitted")
  })

  it("nine strikes start none", () => {
    const { ask, usage } = refusedCaller()
    ask(START_MS)
    for (const second of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) ask(START_MS + second * SECOND_MS)
    expect(usage()).toMatchObject({ bannedUntilMs: 0, strikesMs: { length: 9 } })
  })

  it("a thousand requests within a second of the first refusal are no strikes", () => {
    const { ask, usage } = refusedCaller()
    for (let request = 0; request < 1_000; request++) ask(START_MS + request - 1)
    expect(usage()).toMatchObject({ bannedUntilMs: 0, strikesMs: [] })
    ask(START_MS + SECOND_MS)
    expect(usage()).toMatchObject({ strikesMs: [START_MS + SECOND_MS] })
  })

  it("a request in the last 5 s of the wait is no strike: the clock that set the wait may be ahead of this one", () => {
    const { ask, usage } = refusedCaller()
    const limits = { perMinute: 1, perDay: 100 }
    ask(START_MS, limits)
    ask(START_MS, limits)
    ask(START_MS + MINUTE_MS - 5 * SECOND_MS, limits)
    expect(usage()).toMatchObject({ strikesMs: [] })
    ask(START_MS + MINUTE_MS - 5 * SECOND_MS - 1, limits)
    expect(usage()).toMatchObject({ strikesMs: { length: 1 } })
  })

  it("strikes count for ten minutes", () => {
    const { ask, usage } = refusedCaller()
    ask(START_MS)
    for (let strike = 0; strike < 100; strike++) ask(START_MS + strike * 70 * SECOND_MS)
    expect(usage()).toMatchObject({ bannedUntilMs: 0, strikesMs: { length: 9 } })
  })

  it("a ban ends exactly at its end, and asking during it neither extends it nor counts", () => {
    const { ask, provoke, usage } = refusedCaller()
    ask(START_MS)
    provoke(START_MS)
    const untilMs = START_MS + 130 * SECOND_MS
    const during = usage()
    for (let atMs = START_MS + 11 * SECOND_MS; atMs < untilMs; atMs += 500) {
      expect(ask(atMs)).toMatchObject({ _tag: "KeyBanned", untilMs })
    }
    expect(ask(untilMs - 1)._tag).toBe("KeyBanned")
    expect(usage()).toMatchObject({
      ...during,
      minuteStartMs: START_MS + 2 * MINUTE_MS,
      minuteUsed: 0
    })
    expect(ask(untilMs)._tag).toBe("RateLimited")
  })

  it("a ban that starts within a second ends on a whole one, so that Unix seconds tell its end", () => {
    const { ask, provoke } = refusedCaller()
    ask(START_MS + 400)
    expect(provoke(START_MS + 400)).toMatchObject({ untilMs: START_MS + 130 * SECOND_MS })
  })

  it("each ban of a series is twice as long, up to a day", () => {
    const { ask, provoke } = refusedCaller()
    const lengths: Array<number> = []
    let atMs = START_MS
    for (let ban = 0; ban < 12; ban++) {
      ask(atMs)
      const decision = provoke(atMs)
      if (decision._tag !== "KeyBanned") throw new Error(decision._tag)
      lengths.push((decision.untilMs - atMs - 10 * SECOND_MS) / MINUTE_MS)
      atMs = decision.untilMs
    }
    expect(lengths).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440, 1_440])
  })

  it("a day without a ban ends the series", () => {
    const { ask, provoke } = refusedCaller()
    ask(START_MS)
    provoke(START_MS)
    ask(hours(23))
    expect(provoke(hours(23))).toMatchObject({ untilMs: hours(23) + 250 * SECOND_MS })
    ask(hours(48))
    expect(provoke(hours(48))).toMatchObject({ untilMs: hours(48) + 130 * SECOND_MS })
  })

  it("a pardon lifts the ban and what would lengthen the next one", () => {
    const { ask, provoke, pardon } = refusedCaller()
    ask(START_MS)
    provoke(START_MS)
    pardon()
    expect(ask(START_MS + 11 * SECOND_MS)._tag).toBe("RateLimited")
    expect(provoke(START_MS + 11 * SECOND_MS)).toMatchObject({
      untilMs: START_MS + 141 * SECOND_MS
    })
  })

  it("a clock that was set back an hour doesn't make a ban longer", () => {
    const { ask, provoke } = refusedCaller()
    ask(START_MS)
    provoke(START_MS)
    const backMs = START_MS - HOUR_MS / 2
    expect(ask(backMs)).toMatchObject({ _tag: "KeyBanned", untilMs: backMs + 120 * SECOND_MS })
    expect(ask(backMs + 120 * SECOND_MS)._tag).not.toBe("KeyBanned")
  })

  it("a clock that was set back an hour doesn't suspend strikes for an hour", () => {
    const { ask, provoke } = refusedCaller()
    ask(START_MS)
    ask(START_MS)
    expect(provoke(START_MS - HOUR_MS / 2)).toMatchObject({
      _tag: "KeyBanned",
      untilMs: START_MS - HOUR_MS / 2 + 130 * SECOND_MS
    })
  })

  it("a caller that is admitted before its Retry-After, after an upgrade, gets a new one with a new grace period", () => {
    const { ask, usage } = refusedCaller()
    ask(START_MS)
    ask(START_MS)
    expect(ask(START_MS + MINUTE_MS, { perMinute: 1, perDay: 2 })._tag).toBe("Admitted")
    expect(ask(START_MS + MINUTE_MS + SECOND_MS)._tag).toBe("RateLimited")
    expect(usage()).toMatchObject({ strikesMs: { length: 0 } })
  })

  it("a ban of thirty days is still one after a minute", () => {
    const month = 30 * 24 * HOUR_MS
    const { ask, provoke } = refusedCaller({
      ...DEFAULT_BAN_POLICY,
      firstBanMs: month,
      longestBanMs: month
    })
    ask(START_MS)
    provoke(START_MS)
    expect(ask(START_MS + MINUTE_MS)).toMatchObject({
      _tag: "KeyBanned",
      retryAfterSeconds: month / 1_000 - 50
    })
  })

  it("bans can be turned off", () => {
    const { ask, usage } = refusedCaller({ ...DEFAULT_BAN_POLICY, strikes: Infinity })
    for (let second = 0; second < 1_000; second++) ask(START_MS + second * SECOND_MS)
    expect(usage()).toMatchObject({ bannedUntilMs: 0, strikesMs: [] })
  })
})
