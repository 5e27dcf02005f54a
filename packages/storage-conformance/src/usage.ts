/** The counters of use. */
import { NO_USAGE } from "@petstore/core/adapter"
import { Usage, type UsageRecord } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectDefect, expectSame } from "./expect.js"

type Decide<A> = (
  current: UsageRecord | undefined
) => readonly [answer: A, next: UsageRecord | undefined]

const modify = <A>(key: string, decide: Decide<A>) =>
  Effect.flatMap(Usage, (usage) => usage.modify(key, decide))

const full: UsageRecord = {
  minuteStartMs: 1_767_225_600_000,
  minuteUsed: 59,
  dayStartMs: 1_767_225_600_001,
  dayUsed: 2 ** 53 - 1,
  retryAtMs: 1_767_225_660_000,
  refusedAtMs: 1_767_225_650_123,
  strikesMs: [1_767_225_651_000, 1_767_225_652_000, 1_767_225_652_000],
  bannedUntilMs: 1_767_312_000_000,
  bans: 3,
  lastBanMs: 1_767_225_653_000,
  otherMinutes: "29453700+10:60 29453760:59",
  otherDays: `20454:${2 ** 53 - 1}`
}

/** Uses one request, and returns how many were used before. */
const useOne: Decide<number> = (current = NO_USAGE) => [
  current.minuteUsed,
  { ...current, minuteUsed: current.minuteUsed + 1 }
]

/** Reads the record without changing it. */
const look = (key: string) => modify(key, (current) => [current, current])

export const usage: ReadonlyArray<Claim> = [
  {
    claim:
      "the decision gets undefined for a caller without a record, and its result is the " +
      "record from then on",
    check: Effect.gen(function* () {
      const first = yield* modify("account:1", (current) => [current, full])
      yield* expectSame("the first", first, undefined)
      yield* expectSame("the second", yield* look("account:1"), full)
    })
  },
  {
    claim: "every field of a record is read as it was decided, the strikes in their order",
    check: Effect.gen(function* () {
      for (const record of [
        full,
        NO_USAGE,
        { ...full, strikesMs: [] },
        { ...NO_USAGE, bans: 1 },
        { ...full, otherMinutes: "" }
      ]) {
        yield* modify("account:1", () => [undefined, record])
        yield* expectSame("the record", yield* look("account:1"), record)
      }
    })
  },
  {
    claim: "each caller has its own record, whatever its key looks like",
    check: Effect.gen(function* () {
      const callers = [
        "account:1",
        "account:11",
        "address:2001:db8::/64",
        "",
        "ACCOUNT:1",
        "\u{1f436}'\"%"
      ]
      for (const [at, key] of callers.entries()) {
        yield* modify(key, () => [undefined, { ...NO_USAGE, dayUsed: at }])
      }
      for (const [at, key] of callers.entries()) {
        yield* expectSame(`the use of ${key}`, (yield* look(key))?.dayUsed, at)
      }
    })
  },
  {
    claim: "of 50 concurrent modifications none is lost: each gets the result of another",
    check: Effect.gen(function* () {
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => Effect.zipRight(Effect.yieldNow(), modify("account:1", useOne)),
        { concurrency: "unbounded" }
      )
      yield* expectSame(
        "what each found",
        answers.toSorted((left, right) => left - right),
        answers.map((_, at) => at)
      )
      yield* expectSame("the sum", (yield* look("account:1"))?.minuteUsed, 50)
    })
  },
  {
    claim: "a decision that returns the record it was given changes nothing",
    check: Effect.gen(function* () {
      yield* modify("account:1", () => [undefined, full])
      yield* expectSame(
        "what it answers",
        yield* modify("account:1", (current) => ["looked", current]),
        "looked"
      )
      yield* expectSame("the record", yield* look("account:1"), full)
    })
  },
  {
    claim:
      "reading a caller without a record creates none, and a decision that returns undefined " +
      "leaves none",
    check: Effect.gen(function* () {
      yield* look("account:1")
      yield* expectSame("after looking", yield* look("account:1"), undefined)
      yield* modify("account:1", () => [undefined, full])
      yield* modify("account:2", () => [undefined, full])
      yield* modify("account:1", () => [undefined, undefined])
      yield* expectSame("after removing it", yield* look("account:1"), undefined)
      yield* expectSame("another caller's", yield* look("account:2"), full)
      yield* modify("account:1", () => [undefined, NO_USAGE])
      yield* expectSame("after deciding on one again", yield* look("account:1"), NO_USAGE)
    })
  },
  {
    claim: "a decision that throws is a defect and changes nothing",
    check: Effect.gen(function* () {
      yield* modify("account:1", () => [undefined, full])
      const thrown = modify("account:1", () => {
        throw new Error("planned by a check")
      })
      yield* expectDefect("the decision", thrown)
      yield* expectSame("the record", yield* look("account:1"), full)
    })
  },
  {
    claim: "changing a record that was returned or passed changes no stored record",
    check: Effect.gen(function* () {
      const strikesMs = [...full.strikesMs]
      const decided = { ...full, strikesMs }
      yield* modify("account:1", () => [undefined, decided])
      strikesMs.push(1)
      const tamper = (record: object) =>
        Effect.ignore(Effect.try(() => Object.assign(record, { minuteUsed: -1 })))
      yield* tamper(decided)
      yield* expectSame("after the decided one was changed", yield* look("account:1"), full)
      yield* tamper((yield* look("account:1")) ?? {})
      yield* expectSame("after the shown one was changed", yield* look("account:1"), full)
    })
  }
]
