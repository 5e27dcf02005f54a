import { Effect, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { Decision } from "../../../src/access/limit/Decision.js"
import type { Limiter } from "../../../src/access/limit/Limiter.js"
import type { Limits } from "../../../src/access/account/Plan.js"
import { MAX_SKEW_MS } from "../../../src/access/limit/Window.js"
import { MapUsage, now } from "./MapUsage.js"

const START_MS = Date.UTC(2026, 0, 31, 23, 50)
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const anyLimits: fc.Arbitrary<Limits> = fc.record({
  perMinute: fc.integer({ min: 1, max: 40 }),
  perDay: fc.integer({ min: 1, max: 120 })
})

const startOf = (nowMs: number, lengthMs: number): number => Math.floor(nowMs / lengthMs) * lengthMs

/** Counts what was admitted in each window, apart from what the limiter counts. */
class Tally {
  readonly admitted = new Map<string, number>()

  note(caller: string, nowMs: number): void {
    for (const lengthMs of [MINUTE_MS, DAY_MS]) {
      const window = `${caller} ${lengthMs} ${startOf(nowMs, lengthMs)}`
      this.admitted.set(window, (this.admitted.get(window) ?? 0) + 1)
    }
  }

  expectWithin(limits: Limits): void {
    for (const [window, count] of this.admitted) {
      expect(count, window).toBeLessThanOrEqual(
        window.includes(` ${DAY_MS} `) ? limits.perDay : limits.perMinute
      )
    }
  }
}

const expectSoundHeaders = (decision: Decision, limits: Limits, nowMs: number): void => {
  const { window, limit, remaining, resetSeconds } = decision.headers
  expect(limit).toBe(window === "day" ? limits.perDay : limits.perMinute)
  expect(remaining).toBeGreaterThanOrEqual(0)
  expect(remaining).toBeLessThanOrEqual(limit)
  expect(Number.isInteger(resetSeconds)).toBe(true)
  expect(resetSeconds).toBeGreaterThan(nowMs / 1_000)
  if (decision._tag === "Admitted") return
  expect(remaining).toBe(0)
  expect(Number.isInteger(decision.retryAfterSeconds)).toBe(true)
  expect(decision.retryAfterSeconds).toBeGreaterThanOrEqual(1)
  expect(decision.retryAfterSeconds).toBeGreaterThanOrEqual(resetSeconds - nowMs / 1_000)
}

/** A burst of requests at one of four processes, and what happens to that process then. */
const anyStep = fc.record({
  process: fc.nat({ max: 3 }),
  caller: fc.constantFrom("a", "b"),
  requests: fc.integer({ min: 1, max: 30 }),
  laterMs: fc.oneof(fc.nat({ max: 900 }), fc.nat({ max: 90_000 }), fc.nat({ max: 2 * HOUR_MS })),
  ends: fc.constantFrom("run on", "run on", "run on", "killed", "closed")
})

describe("Limiter", () => {
  it("four processes, killed and restarted at any time, never admit more than the limits in any window", () => {
    fc.assert(
      fc.property(anyLimits, fc.array(anyStep, { maxLength: 60 }), (limits, steps) => {
        const usage = new MapUsage()
        const processes: Array<Limiter> = [0, 1, 2, 3].map(() => usage.limiter())
        const tally = new Tally()
        let nowMs = START_MS
        for (const step of steps) {
          nowMs += step.laterMs
          const limiter = processes[step.process] ?? usage.limiter()
          for (let request = 0; request < step.requests; request++) {
            const decision = now(limiter.admit(step.caller, limits, nowMs))
            expectSoundHeaders(decision, limits, nowMs)
            if (decision._tag === "Admitted") tally.note(step.caller, nowMs)
          }
          if (step.ends === "closed") Effect.runSync(limiter.flush)
          if (step.ends !== "run on") processes[step.process] = usage.limiter()
        }
        tally.expectWithin(limits)
      }),
      { numRuns: 150 }
    )
  })

  it("requests under way at once, at processes that share a slow storage, stay within the limits", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLimits,
        fc.array(
          fc.record({ process: fc.nat({ max: 2 }), requests: fc.integer({ min: 1, max: 40 }) }),
          {
            maxLength: 8
          }
        ),
        async (limits, bursts) => {
          const usage = new MapUsage(Effect.yieldNow())
          const processes = [0, 1, 2].map(() => usage.limiter())
          const asked = bursts.flatMap(({ process, requests }) =>
            Array.from({ length: requests }, async () =>
              processes[process]?.admit("a", limits, START_MS)
            )
          )
          const answers = await Promise.all(asked)
          const admitted = answers.filter((answer) => answer?._tag === "Admitted").length
          expect(admitted).toBeLessThanOrEqual(Math.min(limits.perMinute, limits.perDay))
          expect(answers.some((answer) => answer?._tag === "StorageError")).toBe(false)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("one process admits exactly the limit, and reports exactly what remains", () => {
    fc.assert(
      fc.property(
        anyLimits,
        fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 150 }),
        (limits, gapsMs) => {
          const limiter = new MapUsage().limiter()
          const used = { minute: 0, day: 0 }
          let nowMs = START_MS
          for (const gapMs of gapsMs) {
            const beforeMs = nowMs
            nowMs += gapMs
            if (startOf(nowMs, MINUTE_MS) !== startOf(beforeMs, MINUTE_MS)) used.minute = 0
            if (startOf(nowMs, DAY_MS) !== startOf(beforeMs, DAY_MS)) used.day = 0
            const decision = now(limiter.admit("a", limits, nowMs))
            const room = used.minute < limits.perMinute && used.day < limits.perDay
            if (decision._tag === "KeyBanned") break
            expect(decision._tag === "Admitted").toBe(room)
            if (!room) continue
            used.minute++
            used.day++
            expect(decision.headers.remaining).toBe(
              Math.min(limits.perMinute - used.minute, limits.perDay - used.day)
            )
          }
        }
      ),
      { numRuns: 200 }
    )
  })

  it("a caller that always waits for Retry-After is never refused twice in a row and never banned", () => {
    const anyVisit = fc.record({ process: fc.nat({ max: 2 }), thinkingMs: fc.nat({ max: 2_000 }) })
    fc.assert(
      fc.property(anyLimits, fc.array(anyVisit, { maxLength: 250 }), (limits, visits) => {
        const usage = new MapUsage()
        const processes = [0, 1, 2].map(() => usage.limiter())
        let nowMs = START_MS + 123
        let refusedBefore = false
        for (const { process, thinkingMs } of visits) {
          const decision = now((processes[process] ?? usage.limiter()).admit("a", limits, nowMs))
          expect(decision._tag).not.toBe("KeyBanned")
          const refused = decision._tag !== "Admitted"
          expect(refused && refusedBefore).toBe(false)
          nowMs += refused ? decision.retryAfterSeconds * 1_000 : thinkingMs
          refusedBefore = refused
        }
      }),
      { numRuns: 200 }
    )
  })

  it("after a clock is set back, no caller waits for longer than one window and the 5 s that clocks may differ", () => {
    const backMs = fc.oneof(fc.nat({ max: 2 * HOUR_MS }), fc.constant(HOUR_MS))
    fc.assert(
      fc.property(
        anyLimits,
        fc.nat({ max: HOUR_MS }),
        backMs,
        fc.boolean(),
        (limits, afterMs, back, restarted) => {
          const usage = new MapUsage()
          const before = usage.limiter()
          const usedUpMs = START_MS + afterMs
          for (let request = 0; request < 200; request++) now(before.admit("a", limits, usedUpMs))
          const limiter = restarted ? usage.limiter() : before
          const nowMs = usedUpMs - back
          const decision = now(limiter.admit("a", limits, nowMs))
          expectSoundHeaders(decision, limits, nowMs)
          if (decision._tag === "Admitted") return
          const windowMs = decision.headers.window === "day" ? DAY_MS : MINUTE_MS
          expect(decision.retryAfterSeconds * 1_000).toBeLessThanOrEqual(windowMs + MAX_SKEW_MS)
          expect(
            now(limiter.admit("a", limits, nowMs + decision.retryAfterSeconds * 1_000))._tag
          ).toBe("Admitted")
        }
      ),
      { numRuns: 200 }
    )
  })

  it("setting a clock back grants no extra requests at that time, unless the next minute is used up", () => {
    // The clock starts at a minute's edge. Set back by less than a minute, it is about to come
    // there again.
    const anyBackMs = fc.oneof(
      fc.nat({ max: MAX_SKEW_MS }),
      fc.integer({ min: MINUTE_MS + 1, max: 2 * HOUR_MS })
    )
    fc.assert(
      fc.property(anyLimits, anyBackMs, fc.nat({ max: 50 }), (limits, backMs, first) => {
        const limiter = new MapUsage().limiter()
        let admitted = 0
        const ask = (nowMs: number): void => {
          if (now(limiter.admit("a", limits, nowMs))._tag === "Admitted") admitted++
        }
        for (let request = 0; request < first; request++) ask(START_MS)
        for (let request = 0; request < 200; request++) ask(START_MS - backMs)
        expect(admitted).toBeLessThanOrEqual(Math.min(limits.perMinute, limits.perDay))
      }),
      { numRuns: 200 }
    )
  })

  it("a ban, however provoked, lasts exactly until its Retry-After", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 40, maxLength: 80 }),
        (gapsMs) => {
          const limiter = new MapUsage().limiter()
          const limits = { perMinute: 1, perDay: 1_000 }
          let nowMs = START_MS
          for (const gapMs of gapsMs) {
            nowMs += gapMs
            const decision = now(limiter.admit("a", limits, nowMs))
            if (decision._tag !== "KeyBanned") continue
            const { untilMs, retryAfterSeconds } = decision
            expect(nowMs + retryAfterSeconds * 1_000).toBeGreaterThanOrEqual(untilMs)
            expect(retryAfterSeconds).toBe(Math.ceil((untilMs - nowMs) / 1_000))
            for (let atMs = nowMs; atMs < untilMs; atMs += 997) {
              const during = now(limiter.admit("a", limits, atMs))
              expect(during._tag).toBe("KeyBanned")
              expectSoundHeaders(during, limits, atMs)
            }
            expect(now(limiter.admit("a", limits, untilMs - 1))).toMatchObject({
              _tag: "KeyBanned",
              untilMs
            })
            expect(now(limiter.admit("a", limits, untilMs))._tag).not.toBe("KeyBanned")
            return
          }
        }
      ),
      { numRuns: 100 }
    )
  })
})
