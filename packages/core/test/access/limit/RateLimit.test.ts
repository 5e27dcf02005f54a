import { describe, expect, it } from "vitest"
import { refusalOf, type Decision } from "../../../src/access/limit/Decision.js"
import { rateHeaders } from "../../../src/access/limit/RateHeaders.js"
import { rateLimit } from "../../../src/access/limit/RateLimit.js"
import type { Limits } from "../../../src/access/account/Plan.js"
import type { UsageRecord } from "../../../src/engine/port/Usage.js"

const free: Limits = { perMinute: 60, perDay: 1_000 }
const NOON_MS = Date.UTC(2026, 0, 31, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** One caller of the pure policy. */
const caller = () => {
  let usage: UsageRecord | undefined
  const ask = (nowMs: number, limits = free): Decision => {
    const [decision, next] = rateLimit(limits, usage, nowMs)
    usage = next
    return decision
  }
  const ask60 = (nowMs: number): ReadonlyArray<Decision> =>
    Array.from({ length: 60 }, () => ask(nowMs))
  return { ask, ask60, usage: () => usage }
}

describe("rateLimit", () => {
  it("request 61 of a free caller at 12:00:10 is to retry after 50 seconds, when the limit resets at 12:01", () => {
    const { ask, ask60 } = caller()
    const nowMs = NOON_MS + 10_000
    expect(ask60(nowMs).every(({ _tag }) => _tag === "Admitted")).toBe(true)
    expect(ask(nowMs)).toEqual({
      _tag: "RateLimited",
      untilMs: NOON_MS + MINUTE_MS,
      retryAfterSeconds: 50,
      headers: {
        window: "minute",
        limit: 60,
        remaining: 0,
        resetSeconds: (NOON_MS + MINUTE_MS) / 1_000
      }
    })
  })

  it("waiting until the reset is enough, a millisecond less is not", () => {
    const { ask, ask60 } = caller()
    ask60(NOON_MS)
    expect(ask(NOON_MS + MINUTE_MS - 1)).toMatchObject({
      _tag: "RateLimited",
      retryAfterSeconds: 1
    })
    expect(ask(NOON_MS + MINUTE_MS)._tag).toBe("Admitted")
  })

  it("the headers describe the window with fewer requests remaining, at a tie the day", () => {
    const { ask } = caller()
    expect(ask(NOON_MS).headers).toMatchObject({ window: "minute", limit: 60, remaining: 59 })
    expect(ask(NOON_MS, { perMinute: 60, perDay: 10 }).headers).toMatchObject({
      window: "day",
      limit: 10,
      remaining: 8
    })
    expect(ask(NOON_MS, { perMinute: 60, perDay: 60 }).headers).toMatchObject({
      window: "day",
      remaining: 57
    })
  })

  it("if both windows refuse, the later reset is reported", () => {
    const { ask } = caller()
    const tiny = { perMinute: 1, perDay: 1 }
    ask(NOON_MS, tiny)
    const refused = ask(NOON_MS, tiny)
    expect(refused).toMatchObject({
      retryAfterSeconds: 12 * 3_600,
      headers: { window: "day", remaining: 0 }
    })
    expect(refused.headers.resetSeconds).toBe((NOON_MS + 12 * HOUR_MS) / 1_000)
  })

  it("a request that one window refuses is counted in neither", () => {
    const { ask, ask60, usage } = caller()
    ask60(NOON_MS)
    const before = usage()
    ask(NOON_MS)
    expect(usage()).toMatchObject({ minuteUsed: before?.minuteUsed, dayUsed: before?.dayUsed })
  })

  it("60 requests just before a minute's end and 60 just after it are all admitted: windows are fixed", () => {
    const { ask60 } = caller()
    const admitted = [...ask60(NOON_MS + 59_900), ...ask60(NOON_MS + 60_100)]
    expect(admitted.every(({ _tag }) => _tag === "Admitted")).toBe(true)
  })

  it("a changed plan applies to the next request, and what is used stays used", () => {
    const { ask, ask60 } = caller()
    ask60(NOON_MS)
    expect(ask(NOON_MS)._tag).toBe("RateLimited")
    expect(ask(NOON_MS, { perMinute: 300, perDay: 10_000 })).toMatchObject({
      _tag: "Admitted",
      headers: { remaining: 239 }
    })
    expect(ask(NOON_MS).headers).toMatchObject({ limit: 60, remaining: 0 })
  })

  it("headers can be read without counting", () => {
    const { ask, usage } = caller()
    ask(NOON_MS)
    expect(rateHeaders(free, usage(), NOON_MS)).toMatchObject({ limit: 60, remaining: 59 })
    expect(rateHeaders(free, undefined, NOON_MS)).toMatchObject({ limit: 60, remaining: 60 })
    expect(rateHeaders({ perMinute: 60, perDay: 1 }, usage(), NOON_MS)).toMatchObject({
      window: "day",
      remaining: 0
    })
  })

  it("a clock that was set back an hour keeps what is used, for one minute at most", () => {
    const { ask, ask60 } = caller()
    ask60(NOON_MS)
    const backMs = NOON_MS - HOUR_MS + 30_000
    expect(ask(backMs)).toMatchObject({ _tag: "RateLimited", retryAfterSeconds: 30 })
    expect(ask(backMs + 30_000)._tag).toBe("Admitted")
  })

  it.each([
    ["an hour", HOUR_MS],
    ["20 s, over the minute's edge", 20_000],
    ["a year", 365 * 24 * HOUR_MS]
  ])(
    "a clock that was set back %s and returns finds the minute and the day as used as it left them",
    (_, backMs) => {
      const { ask, ask60 } = caller()
      const nowMs = NOON_MS + 10_000
      ask60(nowMs)
      ask(nowMs - backMs)
      expect(ask60(nowMs + 1_000).map(({ _tag }) => _tag)).not.toContain("Admitted")
      expect(ask(nowMs + 50_000)._tag).toBe("Admitted")

      const atNoon = { perMinute: 60, perDay: 62 }
      ask(nowMs + 50_000, atNoon)
      ask(nowMs - 13 * HOUR_MS, atNoon)
      expect(ask(nowMs + HOUR_MS, atNoon)).toMatchObject({
        _tag: "RateLimited",
        headers: { window: "day" }
      })
    }
  )

  it("an hour that is lived twice admits each of its minutes once", () => {
    const { ask60 } = caller()
    const admittedIn = (minute: number): number =>
      ask60(NOON_MS + minute * MINUTE_MS).filter(({ _tag }) => _tag === "Admitted").length
    const many = { length: 15 }
    expect(Array.from(many, (_, minute) => admittedIn(minute))).toEqual(Array.from(many, () => 60))
    expect(Array.from(many, (_, minute) => admittedIn(minute))).toEqual(Array.from(many, () => 0))
    expect(admittedIn(15)).toBe(60)
  })

  it("set back to a minute before one that is used up, a caller is let in by the labels, rather than wait for both", () => {
    const { ask, ask60 } = caller()
    ask60(NOON_MS)
    expect(ask(NOON_MS - 30_000)._tag).toBe("Admitted")
    expect(ask(NOON_MS)._tag).toBe("RateLimited")
  })

  it("two processes whose clocks straddle a window's edge don't start it afresh in turns", () => {
    const { ask } = caller()
    const admitted = Array.from({ length: 200 }, (_, at) =>
      ask(at % 2 === 0 ? NOON_MS : NOON_MS - 2_000)
    ).filter(({ _tag }) => _tag === "Admitted")
    expect(admitted).toHaveLength(60)
  })

  it("a refusal becomes an error with its code and a sentence on what to do", () => {
    const { ask, ask60 } = caller()
    ask60(NOON_MS + 10_000)
    const refused = ask(NOON_MS + 10_000)
    if (refused._tag === "Admitted") throw new Error("not refused")
    expect(refusalOf(refused)).toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 50,
      message: "the limit of 60 requests a minute is reached: retry after 50 s"
    })
    expect(refusalOf({ ...refused, _tag: "KeyBanned" })).toMatchObject({
      code: "key_banned",
      untilMs: NOON_MS + 60_000
    })
  })
})
