import { Deferred, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { DEFAULT_BAN_POLICY } from "../../../src/access/limit/Ban.js"
import { makeLimiter } from "../../../src/access/limit/makeLimiter.js"
import { StorageError } from "../../../src/engine/port/StorageError.js"
import { MapUsage, now } from "./MapUsage.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const free = { perMinute: 60, perDay: 1_000 }
const big = { perMinute: 10 ** 9, perDay: 10 ** 12 }

describe("Limiter", () => {
  it("counts down to the last request without skipping one, though it leases blocks", () => {
    const limiter = new MapUsage().limiter()
    const remaining = Array.from(
      { length: 60 },
      () => now(limiter.admit("a", free, NOON_MS)).headers.remaining
    )
    expect(remaining).toEqual(Array.from({ length: 60 }, (_, at) => 59 - at))
    expect(now(limiter.admit("a", free, NOON_MS + 10_000))).toMatchObject({
      _tag: "RateLimited",
      retryAfterSeconds: 50
    })
  })

  it("asks the storage ever less often for a caller far from its limits", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    for (let request = 0; request < 10_000; request++) now(limiter.admit("a", big, NOON_MS))
    expect(usage.questions).toBeLessThan(30)
  })

  it.each([
    ["free", 60, 1_000, 12],
    ["pro", 300, 10_000, 18],
    ["business", 1_000, 100_000, 22]
  ])(
    "alone, an account on the plan %s that uses a minute up (%d) costs few questions",
    (_, perMinute, perDay, most) => {
      const usage = new MapUsage()
      const limiter = usage.limiter()
      for (let request = 0; request < perMinute; request++)
        expect(now(limiter.admit("a", { perMinute, perDay }, NOON_MS))._tag).toBe("Admitted")
      expect(usage.questions).toBeLessThanOrEqual(most)
    }
  )

  it("a second process still finds something when the first is in the middle of its minute", () => {
    const usage = new MapUsage()
    const [first, second] = [usage.limiter(), usage.limiter()]
    for (let request = 0; request < 32; request++) now(first.admit("a", free, NOON_MS))
    let admitted = 0
    for (let request = 0; request < 60; request++)
      if (now(second.admit("a", free, NOON_MS))._tag === "Admitted") admitted++
    expect(admitted).toBeGreaterThanOrEqual(14)
    expect(admitted).toBeLessThanOrEqual(28)
  })

  it("one request a minute uses one request of the day each", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    for (let minute = 0; minute < 100; minute++) {
      for (let request = 0; request < 5; request++)
        now(limiter.admit("a", free, NOON_MS + minute * MINUTE_MS))
    }
    const { day } = Effect.runSync(limiter.standing("a", free, NOON_MS + 100 * MINUTE_MS))
    expect(day.used).toBe(500)
  })

  it("a changed plan applies to the next request, in both directions", () => {
    const limiter = new MapUsage().limiter()
    for (let request = 0; request < 100; request++) now(limiter.admit("a", big, NOON_MS))
    expect(now(limiter.admit("a", free, NOON_MS))).toMatchObject({
      _tag: "RateLimited",
      headers: { limit: 60, remaining: 0 }
    })
    expect(
      now(limiter.admit("a", { perMinute: 300, perDay: 10_000 }, NOON_MS)).headers
    ).toMatchObject({
      limit: 300,
      remaining: 199
    })
  })

  it("a flush returns unused requests, so that another process can use them", () => {
    const usage = new MapUsage()
    const first = usage.limiter()
    for (let request = 0; request < 10; request++) now(first.admit("a", free, NOON_MS))
    Effect.runSync(first.flush)
    expect(usage.records.get("a")).toMatchObject({ minuteUsed: 10, dayUsed: 10 })
    expect(now(usage.limiter().admit("a", free, NOON_MS)).headers.remaining).toBe(49)
  })

  it("the standing has both windows exactly, leased requests included, and counts nothing", () => {
    const limiter = new MapUsage().limiter()
    for (let request = 0; request < 10; request++) now(limiter.admit("a", free, NOON_MS))
    const standing = Effect.runSync(limiter.standing("a", free, NOON_MS))
    expect(standing).toMatchObject({
      minute: { used: 10, remaining: 50, resetMs: NOON_MS + MINUTE_MS },
      day: { used: 10, remaining: 990, resetMs: NOON_MS + 12 * 60 * MINUTE_MS },
      retryAtMs: null,
      bannedUntilMs: null,
      strikesMs: []
    })
    expect(Effect.runSync(limiter.standing("a", free, NOON_MS))).toEqual(standing)
    expect(Effect.runSync(limiter.standing("nobody", free, NOON_MS)).minute.used).toBe(0)
  })

  it("looking at a caller that never came, or pardoning it, leaves no record", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    Effect.runSync(limiter.standing("nobody", free, NOON_MS))
    Effect.runSync(limiter.unban("nobody"))
    Effect.runSync(limiter.flush)
    expect(usage.records.size).toBe(0)
  })

  it("a flood of refused requests costs one question for the grace, one for each strike, one a second during the ban", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    for (let request = 0; request < 60; request++) now(limiter.admit("a", free, NOON_MS))
    const before = usage.questions
    for (let request = 0; request < 1_000; request++)
      now(limiter.admit("a", free, NOON_MS + request))
    expect(usage.questions - before).toBe(1)
    for (let request = 0; request < 10; request++)
      now(limiter.admit("a", free, NOON_MS + SECOND_MS))
    expect(now(limiter.admit("a", free, NOON_MS + SECOND_MS))._tag).toBe("KeyBanned")
    expect(usage.questions - before).toBe(11)
    for (let request = 0; request < 10_000; request++)
      now(limiter.admit("a", free, NOON_MS + SECOND_MS + request))
    expect(usage.questions - before).toBeLessThanOrEqual(22)
  })

  it("a flood in the last 5 s of a minute, when there are no strikes, costs one question", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    const fromMs = NOON_MS + 55 * SECOND_MS
    for (let request = 0; request < 60; request++) now(limiter.admit("a", free, fromMs))
    const before = usage.questions
    for (let request = 0; request < 5_000; request++)
      expect(now(limiter.admit("a", free, fromMs + request))._tag).toBe("RateLimited")
    expect(usage.questions - before).toBe(1)
    expect(now(limiter.admit("a", free, fromMs + 5_000))._tag).toBe("Admitted")
  })

  it("with bans off, a flood of refused requests costs one question a minute, and the next minute is admitted", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter({ ...DEFAULT_BAN_POLICY, strikes: Infinity })
    const tiny = { perMinute: 1, perDay: 2 }
    now(limiter.admit("a", tiny, NOON_MS))
    const before = usage.questions
    for (let request = 0; request < 5_000; request++)
      expect(now(limiter.admit("a", tiny, NOON_MS + request * 11))._tag).toBe("RateLimited")
    expect(usage.questions - before).toBe(1)
    expect(now(limiter.admit("a", tiny, NOON_MS + MINUTE_MS))._tag).toBe("Admitted")
    for (let request = 0; request < 5_000; request++)
      expect(now(limiter.admit("a", tiny, NOON_MS + (1 + request / 1_000) * MINUTE_MS))._tag).toBe(
        "RateLimited"
      )
    expect(usage.questions - before).toBe(1 + 1 + 5)
  })

  it("unban lets the caller in at once, and one that another process did within a second", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    const tiny = { perMinute: 1, perDay: 100 }
    const provoke = (fromMs: number): void => {
      for (let request = 0; request < 12; request++)
        now(limiter.admit("a", tiny, fromMs + request * SECOND_MS))
    }
    provoke(NOON_MS)
    expect(now(limiter.admit("a", tiny, NOON_MS + 60 * SECOND_MS))._tag).toBe("KeyBanned")
    Effect.runSync(limiter.unban("a"))
    expect(now(limiter.admit("a", tiny, NOON_MS + 60 * SECOND_MS))._tag).toBe("Admitted")

    provoke(NOON_MS + 120 * SECOND_MS)
    const bannedMs = NOON_MS + 180 * SECOND_MS
    expect(now(limiter.admit("a", tiny, bannedMs))._tag).toBe("KeyBanned")
    Effect.runSync(usage.limiter().unban("a"))
    expect(now(limiter.admit("a", tiny, bannedMs + 999))._tag).toBe("KeyBanned")
    expect(now(limiter.admit("a", tiny, bannedMs + 1_000))._tag).toBe("Admitted")
  })

  it("callers that come once are forgotten once their minute is over", () => {
    const limiter = new MapUsage().limiter()
    for (let request = 0; request < 10_000; request++)
      now(limiter.admit(`address:${request}`, free, NOON_MS))
    expect(limiter.liveCallers()).toBe(10_000)
    for (let request = 0; request < 10_000; request++)
      now(limiter.admit(`address:x${request}`, free, NOON_MS + MINUTE_MS))
    expect(limiter.liveCallers()).toBeLessThan(10_100)
  })

  it("what a forgotten caller had unspent is given back to its day", () => {
    const usage = new MapUsage()
    const limiter = usage.limiter()
    for (let request = 0; request < 4; request++) now(limiter.admit("a", free, NOON_MS))
    for (let request = 0; request < 10; request++)
      now(limiter.admit(`b${request}`, free, NOON_MS + MINUTE_MS))
    expect(usage.records.get("a")).toMatchObject({ dayUsed: 4 })
  })

  it("concurrent requests share one question, and 100 at once find exactly the one request that is left", async () => {
    const gate = Effect.runSync(Deferred.make<void>())
    const usage = new MapUsage(Deferred.await(gate))
    const limiter = usage.limiter()
    const asked = Array.from({ length: 100 }, async () =>
      limiter.admit("a", { perMinute: 1, perDay: 5 }, NOON_MS)
    )
    expect(usage.questions).toBe(0)
    Effect.runSync(Deferred.succeed(gate, undefined))
    const answers = await Promise.all(asked)
    expect(answers.filter(({ _tag }) => _tag === "Admitted")).toHaveLength(1)
    expect(answers.filter(({ _tag }) => _tag === "RateLimited")).toHaveLength(99)
    expect(usage.questions).toBe(2)
  })

  it("a failing storage fails all waiting requests with its error, and the next request tries again", async () => {
    const failure = new StorageError({ reason: "Busy", detail: "test" })
    let failures = 0
    const limiter = makeLimiter({
      usage: {
        modify: () =>
          Effect.andThen(
            Effect.yieldNow(),
            Effect.suspend(() => {
              failures++
              return Effect.fail(failure)
            })
          )
      }
    })
    const answers = await Promise.all([1, 2, 3].map(async () => limiter.admit("a", free, NOON_MS)))
    expect(answers).toEqual([failure, failure, failure])
    expect(failures).toBe(1)
    expect(await limiter.admit("a", free, NOON_MS)).toBe(failure)
    expect(failures).toBe(2)
  })

  it("a defect of the storage is thrown, or rejects", async () => {
    const limiter = makeLimiter({ usage: { modify: () => Effect.die(new Error("broken")) } })
    expect(() => limiter.admit("a", free, NOON_MS)).toThrow("broken")
    const slow = makeLimiter({
      usage: { modify: () => Effect.andThen(Effect.yieldNow(), Effect.die(new Error("broken"))) }
    })
    await expect(slow.admit("a", free, NOON_MS)).rejects.toThrow("broken")
  })

  it("a flush waits for pending lease requests, and returns their leases", async () => {
    const usage = new MapUsage(Effect.yieldNow())
    const limiter = usage.limiter()
    await limiter.admit("a", free, NOON_MS)
    const asked = limiter.admit("a", free, NOON_MS)
    await Promise.all([asked, Effect.runPromise(limiter.flush)])
    expect(usage.records.get("a")).toMatchObject({ minuteUsed: 2, dayUsed: 2 })
    expect(usage.questions).toBe(3)
  })
})
