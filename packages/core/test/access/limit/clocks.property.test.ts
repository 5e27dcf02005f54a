import { Effect, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { makeAddressBook } from "../../../src/access/limit/AddressBook.js"
import { DEFAULT_BAN_POLICY } from "../../../src/access/limit/Ban.js"
import type { Decision } from "../../../src/access/limit/Decision.js"
import type { Limiter } from "../../../src/access/limit/Limiter.js"
import type { Limits } from "../../../src/access/account/Plan.js"
import { DAY_MS, MINUTE_MS } from "../../../src/value/Time.js"
import { MAX_SKEW_MS } from "../../../src/access/limit/Window.js"
import { MapUsage, now } from "./MapUsage.js"

const START_MS = Date.UTC(2026, 0, 31, 23, 50)
const HOUR_MS = 3_600_000
const NO_BANS = { ...DEFAULT_BAN_POLICY, strikes: Infinity }

const anyLimits: fc.Arbitrary<Limits> = fc.record({
  perMinute: fc.integer({ min: 1, max: 12 }),
  perDay: fc.integer({ min: 1, max: 60 })
})

/** From a moment to a year, back and forth, more often by little and to edges of windows. */
const anyStepMs = fc
  .oneof(
    { weight: 4, arbitrary: fc.nat({ max: 20_000 }) },
    { weight: 4, arbitrary: fc.nat({ max: 3 * MINUTE_MS }) },
    { weight: 2, arbitrary: fc.constantFrom(MINUTE_MS, HOUR_MS, DAY_MS, 365 * DAY_MS) },
    { weight: 2, arbitrary: fc.nat({ max: 2 * HOUR_MS }) },
    { weight: 1, arbitrary: fc.nat({ max: 3 * DAY_MS }) }
  )
  .chain((stepMs) => fc.constantFrom(stepMs, -stepMs))

/** A burst of requests at one of three processes, after a step of all clocks. */
const anyBurst = fc.record({
  process: fc.nat({ max: 2 }),
  stepMs: anyStepMs,
  requests: fc.integer({ min: 1, max: 15 }),
  ends: fc.constantFrom("runs on", "runs on", "runs on", "runs on", "killed", "closed")
})

/** Processes whose clocks differ by seconds; each has its own, all the time. */
const anyOffsets = fc.array(fc.integer({ min: -MAX_SKEW_MS, max: MAX_SKEW_MS }), {
  minLength: 3,
  maxLength: 3
})

const labelsOf = (nowMs: number): ReadonlyArray<string> => [
  `minute ${Math.floor(nowMs / MINUTE_MS)}`,
  `day ${Math.floor(nowMs / DAY_MS)}`
]

/** What was admitted under each label, by the clock of the process that admitted it. */
class Tally {
  readonly admitted = new Map<string, number>()

  note(nowMs: number): void {
    for (const label of labelsOf(nowMs))
      this.admitted.set(label, (this.admitted.get(label) ?? 0) + 1)
  }

  isFull(nowMs: number, { perMinute, perDay }: Limits): boolean {
    const [minute = 0, day = 0] = labelsOf(nowMs).map((label) => this.admitted.get(label))
    return minute >= perMinute || day >= perDay
  }

  expectWithin(limits: Limits): void {
    for (const [label, count] of this.admitted)
      expect(count, label).toBeLessThanOrEqual(
        label.startsWith("day") ? limits.perDay : limits.perMinute
      )
  }
}

const expectBoundedWait = (decision: Decision, nowMs: number): void => {
  const { headers } = decision
  expect(headers.resetSeconds * 1_000).toBeGreaterThan(nowMs)
  if (decision._tag !== "RateLimited") return
  const windowMs = headers.window === "day" ? DAY_MS : MINUTE_MS
  expect(decision.retryAfterSeconds * 1_000).toBeLessThanOrEqual(windowMs + MAX_SKEW_MS)
}

describe("limits under clocks that are set", () => {
  it.each([
    ["with bans", DEFAULT_BAN_POLICY],
    ["without bans", NO_BANS]
  ])(
    "no label of a minute or day admits more than its limit, and nobody is told to wait for longer than a window and 5 s, %s",
    (_, policy) => {
      fc.assert(
        fc.property(
          anyLimits,
          anyOffsets,
          fc.array(anyBurst, { maxLength: 60 }),
          (limits, offsets, bursts) => {
            const usage = new MapUsage()
            const processes: Array<Limiter> = offsets.map(() => usage.limiter(policy))
            const tally = new Tally()
            let trueMs = START_MS
            for (const { process, stepMs, requests, ends } of bursts) {
              trueMs += stepMs
              const nowMs = trueMs + (offsets[process] ?? 0)
              const limiter = processes[process] ?? usage.limiter(policy)
              for (let request = 0; request < requests; request++) {
                const decision = now(limiter.admit("a", limits, nowMs))
                expectBoundedWait(decision, nowMs)
                if (decision._tag === "Admitted") tally.note(nowMs)
              }
              if (ends === "closed") Effect.runSync(limiter.flush)
              if (ends !== "runs on") processes[process] = usage.limiter(policy)
            }
            tally.expectWithin(limits)
          }
        ),
        { numRuns: 400 }
      )
    }
  )

  it("once the clock runs on, a caller that has not used a minute and a day up itself waits for one window at most", () => {
    fc.assert(
      fc.property(anyLimits, fc.array(anyBurst, { maxLength: 30 }), (limits, bursts) => {
        const usage = new MapUsage()
        const limiter = usage.limiter(NO_BANS)
        const tally = new Tally()
        let nowMs = START_MS
        for (const { stepMs, requests } of bursts) {
          nowMs += stepMs
          for (let request = 0; request < requests; request++)
            if (now(limiter.admit("a", limits, nowMs))._tag === "Admitted") tally.note(nowMs)
        }
        let decision = now(limiter.admit("a", limits, nowMs))
        while (decision._tag !== "Admitted" && tally.isFull(nowMs, limits)) {
          nowMs += decision._tag === "RateLimited" ? decision.retryAfterSeconds * 1_000 : 0
          decision = now(limiter.admit("a", limits, nowMs))
        }
        if (decision._tag === "Admitted") return
        nowMs += decision.retryAfterSeconds * 1_000
        expect(now(limiter.admit("a", limits, nowMs))._tag).toBe("Admitted")
      }),
      { numRuns: 400 }
    )
  })

  it("a caller that obeys Retry-After is never banned, even by processes whose clocks differ by 5 s", () => {
    const anyVisit = fc.record({ process: fc.nat({ max: 2 }), thinkingMs: fc.nat({ max: 500 }) })
    const anyOffset = fc.integer({ min: 0, max: MAX_SKEW_MS })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.tuple(anyOffset, anyOffset, anyOffset),
        fc.array(anyVisit, { minLength: 100, maxLength: 250 }),
        (perMinute, offsets, visits) => {
          const usage = new MapUsage()
          const processes = offsets.map(() => usage.limiter())
          let trueMs = START_MS
          for (const { process, thinkingMs } of visits) {
            const limiter = processes[process] ?? usage.limiter()
            const decision = now(
              limiter.admit("a", { perMinute, perDay: 1_000 }, trueMs + (offsets[process] ?? 0))
            )
            expect(decision._tag).not.toBe("KeyBanned")
            trueMs += decision._tag === "Admitted" ? thinkingMs : decision.retryAfterSeconds * 1_000
          }
        }
      ),
      { numRuns: 100 }
    )
  })

  it("no label admits an address more than its limit, and no Retry-After is longer than a window and 5 s", () => {
    const anyCall = fc.record({
      address: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1"),
      stepMs: anyStepMs,
      requests: fc.integer({ min: 1, max: 15 })
    })
    fc.assert(
      fc.property(
        anyLimits,
        fc.array(anyCall, { maxLength: 60 }),
        fc.boolean(),
        (limits, calls, bans) => {
          const { admit } = makeAddressBook(bans ? DEFAULT_BAN_POLICY : NO_BANS)
          const tallies = new Map<string, Tally>()
          let nowMs = START_MS
          for (const { address, stepMs, requests } of calls) {
            nowMs += stepMs
            const tally = tallies.get(address) ?? new Tally()
            tallies.set(address, tally)
            for (let request = 0; request < requests; request++) {
              const decision = admit(address, limits, nowMs)
              expectBoundedWait(decision, nowMs)
              if (decision._tag === "Admitted") tally.note(nowMs)
            }
          }
          for (const tally of tallies.values()) tally.expectWithin(limits)
        }
      ),
      { numRuns: 400 }
    )
  })
})
