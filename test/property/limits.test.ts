import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type DirectStorage,
  type OpenPetStore,
  PetStore,
  type Storage,
  type StorageError,
  type Usage
} from "@petstore/core"
import type { Admission } from "@petstore/core/adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Effect, FastCheck as fc, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { handClock } from "../shop/handClock.js"

const START_MS = Date.UTC(2026, 0, 31, 23, 50)
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const MAX_SKEW_MS = 5_000

type Backend = Layer.Layer<Storage | DirectStorage | Usage, StorageError>
type Shared = { readonly backend: () => Backend; readonly dispose: () => void }

/** A storage that several stores open at once, as processes do. */
const STORAGES: ReadonlyArray<{
  readonly name: string
  readonly numRuns: number
  readonly share: () => Shared
}> = [
  {
    name: "in memory",
    numRuns: 60,
    share: () => {
      const context = Effect.runSync(Effect.scoped(Layer.build(MemoryStorage.layer)))
      return { backend: () => Layer.succeedContext(context), dispose: () => undefined }
    }
  },
  {
    name: "in a file",
    numRuns: 10,
    share: () => {
      const folder = mkdtempSync(join(tmpdir(), "petstore-"))
      const filename = join(folder, "pets.db")
      return {
        backend: () => SqliteStorage.layer({ filename, durability: "relaxed" }),
        dispose: () => rmSync(folder, { recursive: true, force: true })
      }
    }
  }
]

const anyLimits = fc.record({
  perMinute: fc.integer({ min: 1, max: 40 }),
  perDay: fc.integer({ min: 1, max: 120 })
})

type AgreedLimits = { readonly perMinute: number; readonly perDay: number }

/** What was admitted under each label of a minute and a day, by the clock of who admitted it. */
class Tally {
  readonly #admitted = new Map<string, number>()
  count = 0

  note(nowMs: number): void {
    this.count++
    for (const label of this.#labels(nowMs))
      this.#admitted.set(label, (this.#admitted.get(label) ?? 0) + 1)
  }

  isFull(nowMs: number, { perMinute, perDay }: AgreedLimits): boolean {
    const [minute = 0, day = 0] = this.#labels(nowMs).map((label) => this.#admitted.get(label))
    return minute >= perMinute || day >= perDay
  }

  expectWithin({ perMinute, perDay }: AgreedLimits): void {
    for (const [label, count] of this.#admitted)
      expect(count, label).toBeLessThanOrEqual(label.startsWith("day") ? perDay : perMinute)
  }

  #labels(nowMs: number): ReadonlyArray<string> {
    return [`minute ${Math.floor(nowMs / MINUTE_MS)}`, `day ${Math.floor(nowMs / DAY_MS)}`]
  }
}

/**
 * Up to four processes on one storage, one account with two keys, and a clock; theirs may differ
 * from it.
 */
const openShop = async (
  share: () => Shared,
  limits: AgreedLimits,
  offsetsMs: ReadonlyArray<number> = []
) => {
  const { backend, dispose } = share()
  const time = handClock(START_MS)
  const opened: Array<OpenPetStore> = []
  const openOne = async (process = 0): Promise<OpenPetStore> => {
    const clock = () => time.nowMs() + (offsetsMs[process] ?? 0)
    const store = await PetStore.open({ storage: backend(), clock })
    opened.push(store)
    return store
  }
  const processes = [await openOne(0), await openOne(1), await openOne(2), await openOne(3)]
  const [first] = opened
  if (first === undefined) throw new Error("none was opened")
  const account = await first.accounts.create({ plan: "enterprise", ...limits })
  const keys = [
    (await first.keys.create(account.id)).key,
    (await first.keys.create(account.id)).key
  ]
  const ask = async (process: number, nth = 0): Promise<Admission> => {
    const { engine } = processes[process % 4] ?? first
    const key = keys[nth % 2] ?? ""
    return engine.authenticator.admit(
      { apiKey: [key], authorization: [], address: "192.0.2.1" },
      engine.nowMs()
    )
  }
  return {
    time,
    account,
    processes,
    openOne,
    ask,
    end: async () => {
      await Promise.all(opened.map((store) => store.close()))
      dispose()
    }
  }
}

/** What every answer promises, of whatever kind; the wait in milliseconds where there is one. */
const expectSound = (admission: Admission, nowMs: number): number => {
  const { rate, limits } = admission
  expect(rate.limit).toBe(rate.window === "day" ? limits.perDay : limits.perMinute)
  expect(rate.remaining).toBeGreaterThanOrEqual(0)
  expect(rate.remaining).toBeLessThanOrEqual(rate.limit)
  expect(rate.resetSeconds * 1_000).toBeGreaterThan(nowMs)
  if (admission.admitted) return 0
  expect(admission.refusal.code).toMatch(/^(rate_limited|key_banned)$/)
  if (!("retryAfterSeconds" in admission.refusal)) throw admission.refusal
  const { retryAfterSeconds } = admission.refusal
  expect(rate.remaining).toBe(0)
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(Math.max(1, rate.resetSeconds - nowMs / 1_000))
  return retryAfterSeconds * 1_000
}

const anyStep = fc.record({
  process: fc.nat({ max: 3 }),
  requests: fc.integer({ min: 1, max: 30 }),
  laterMs: fc.oneof(fc.nat({ max: 900 }), fc.nat({ max: 90_000 }), fc.nat({ max: 2 * HOUR_MS })),
  ends: fc.constantFrom("runs on", "runs on", "runs on", "is killed", "is closed")
})

describe.each(STORAGES)("limits, $name", ({ numRuns, share }) => {
  it(
    "four processes, killed and restarted at any time, never admit more than the limits in any window, and what is closed has returned what it held",
    {
      timeout: 60_000
    },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyLimits, fc.array(anyStep, { maxLength: 25 }), async (limits, steps) => {
          const shop = await openShop(share, limits)
          const admitted = new Map<string, number>()
          for (const { process, requests, laterMs, ends } of steps) {
            shop.time.pass(laterMs)
            const nowMs = shop.time.nowMs()
            const answers = await Promise.all(
              Array.from({ length: requests }, (_, nth) => shop.ask(process, nth))
            )
            for (const answer of answers) {
              expectSound(answer, nowMs)
              if (!answer.admitted) continue
              for (const window of [
                `minute ${Math.floor(nowMs / MINUTE_MS)}`,
                `day ${Math.floor(nowMs / DAY_MS)}`
              ])
                admitted.set(window, (admitted.get(window) ?? 0) + 1)
            }
            if (ends === "is closed") await shop.processes[process]?.close()
            if (ends !== "runs on") shop.processes[process] = await shop.openOne()
          }
          for (const [window, count] of admitted)
            expect(count, window).toBeLessThanOrEqual(
              window.startsWith("day") ? limits.perDay : limits.perMinute
            )
          // A killed process is only let go of, and closed here: what it returns too late does no
          // harm.
          for (const each of shop.processes) await each.close()
          const last = await shop.openOne()
          const { day } = await last.limits.get(shop.account.id)
          const today = admitted.get(`day ${Math.floor(shop.time.nowMs() / DAY_MS)}`) ?? 0
          if (steps.some(({ ends }) => ends === "is killed"))
            expect(day.used).toBeGreaterThanOrEqual(today)
          else expect(day.used).toBe(today)
          await shop.end()
        }),
        { numRuns }
      )
    }
  )

  it(
    "a caller that always waits for Retry-After is never refused twice in a row and never banned, whichever process it meets",
    {
      timeout: 60_000
    },
    async () => {
      const anyVisit = fc.record({
        process: fc.nat({ max: 3 }),
        thinkingMs: fc.nat({ max: 2_000 })
      })
      await fc.assert(
        fc.asyncProperty(
          anyLimits,
          fc.array(anyVisit, { maxLength: 120 }),
          async (limits, visits) => {
            const shop = await openShop(share, limits)
            let refusedBefore = false
            for (const { process, thinkingMs } of visits) {
              const waitMs = expectSound(await shop.ask(process), shop.time.nowMs())
              expect(waitMs > 0 && refusedBefore).toBe(false)
              refusedBefore = waitMs > 0
              shop.time.pass(refusedBefore ? waitMs : thinkingMs)
            }
            expect((await shop.processes[0]?.limits.get(shop.account.id))?.bans).toBe(0)
            await shop.end()
          }
        ),
        { numRuns }
      )
    }
  )

  it(
    "a clock that steps back by up to two hours, over midnight too, gives nobody more and locks nobody out for longer than one window",
    {
      timeout: 60_000
    },
    async () => {
      const anyBack = fc.oneof(fc.constant(HOUR_MS), fc.nat({ max: 2 * HOUR_MS }))
      await fc.assert(
        fc.asyncProperty(
          anyLimits,
          fc.nat({ max: HOUR_MS }),
          anyBack,
          async (limits, afterMs, backMs) => {
            const shop = await openShop(share, limits)
            shop.time.pass(afterMs)
            const tally = new Tally()
            const ask = async (nth: number): Promise<Admission> => {
              const answer = await shop.ask(nth)
              if (answer.admitted) tally.note(shop.time.nowMs())
              return answer
            }
            for (let nth = 0; nth < 60; nth++) await ask(0)
            shop.time.pass(-backMs)
            const nextMinuteMs = (Math.floor(shop.time.nowMs() / MINUTE_MS) + 1) * MINUTE_MS
            const isNextUsedUp = tally.isFull(nextMinuteMs, limits)
            let admitted = tally.count
            for (let nth = 0; nth < 3; nth++) if ((await ask(nth)).admitted) admitted++
            if (!isNextUsedUp)
              expect(admitted).toBeLessThanOrEqual(Math.min(limits.perMinute, limits.perDay))
            const isOwnUsedUp = tally.isFull(shop.time.nowMs(), limits)
            const answer = await ask(1)
            const waitMs = expectSound(answer, shop.time.nowMs())
            if (!answer.admitted && answer.refusal.code === "rate_limited") {
              const windowMs = answer.rate.window === "day" ? DAY_MS : MINUTE_MS
              expect(waitMs).toBeLessThanOrEqual(windowMs + MAX_SKEW_MS)
              shop.time.pass(waitMs)
              // Who has used up the window that it is told to wait for, and the one after it, waits
              // for both.
              if (isOwnUsedUp && tally.isFull(shop.time.nowMs(), limits)) return shop.end()
              expect((await ask(2)).admitted).toBe(true)
            }
            return shop.end()
          }
        ),
        { numRuns }
      )
    }
  )

  it(
    "stores whose clocks differ by seconds and are set back and forth admit under no label of a minute or day more than its limit",
    {
      timeout: 120_000
    },
    async () => {
      const anyOffset = fc.integer({ min: -MAX_SKEW_MS, max: MAX_SKEW_MS })
      const anySetting = fc.record({
        process: fc.nat({ max: 3 }),
        requests: fc.integer({ min: 1, max: 12 }),
        stepMs: fc
          .oneof(
            fc.nat({ max: 20_000 }),
            fc.nat({ max: 3 * MINUTE_MS }),
            fc.constantFrom(MINUTE_MS, HOUR_MS, DAY_MS, 30 * DAY_MS),
            fc.nat({ max: 2 * DAY_MS })
          )
          .chain((stepMs) => fc.constantFrom(stepMs, -stepMs)),
        ends: fc.constantFrom("runs on", "runs on", "runs on", "runs on", "is killed", "is closed")
      })
      const fewLimits = fc.record({
        perMinute: fc.integer({ min: 1, max: 12 }),
        perDay: fc.integer({ min: 1, max: 60 })
      })
      await fc.assert(
        fc.asyncProperty(
          fewLimits,
          fc.tuple(anyOffset, anyOffset, anyOffset, anyOffset),
          fc.array(anySetting, { maxLength: 40 }),
          async (limits, offsets, settings) => {
            const shop = await openShop(share, limits, offsets)
            const tally = new Tally()
            for (const { process, requests, stepMs, ends } of settings) {
              shop.time.pass(stepMs)
              const nowMs = shop.time.nowMs() + (offsets[process] ?? 0)
              const answers = await Promise.all(
                Array.from({ length: requests }, (_, nth) => shop.ask(process, nth))
              )
              for (const answer of answers) {
                const waitMs = expectSound(answer, nowMs)
                if (answer.admitted) tally.note(nowMs)
                else if (answer.refusal.code === "rate_limited")
                  expect(waitMs).toBeLessThanOrEqual(
                    (answer.rate.window === "day" ? DAY_MS : MINUTE_MS) + MAX_SKEW_MS
                  )
              }
              if (ends === "is closed") await shop.processes[process]?.close()
              if (ends !== "runs on") shop.processes[process] = await shop.openOne(process)
            }
            tally.expectWithin(limits)
            await shop.end()
          }
        ),
        { numRuns }
      )
    }
  )
})
