import { type Program, StorageError, type UsageRecord } from "@petstore/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { KeptUsage } from "../src/KeptUsage.js"

const NOTHING: UsageRecord = {
  minuteStartMs: 0,
  minuteUsed: 0,
  dayStartMs: 0,
  dayUsed: 0,
  retryAtMs: 0,
  refusedAtMs: 0,
  strikesMs: [],
  bannedUntilMs: 0,
  bans: 0,
  lastBanMs: 0
}

const countOne = (current: UsageRecord | undefined): readonly [number, UsageRecord] => {
  const minuteUsed = (current?.minuteUsed ?? 0) + 1
  return [minuteUsed, { ...(current ?? NOTHING), minuteUsed }]
}

/** Rows on a disk that can be full: a write then runs its program, rolls back, and fails. */
const disk = () => {
  let rows = new Map<string, UsageRecord>()
  const state: { fails: "no" | "Full" | "Busy" } = { fails: "no" }
  const usage = new KeptUsage(
    {
      get: (caller) => rows.get(caller),
      put: (caller, record) => void rows.set(caller, record),
      remove: (caller) => void rows.delete(caller)
    },
    <A, E>(program: () => Program<A, E>) =>
      Effect.suspend(() => {
        const before = new Map(rows)
        const step = program().next()
        if (state.fails !== "no") {
          rows = before
          return Effect.fail(new StorageError({ reason: state.fails, detail: "test" }))
        }
        return step.done === true
          ? Effect.succeed(step.value)
          : Effect.die("a usage program asks for nothing")
      })
  )
  return { usage, state, stored: () => rows.get("a")?.minuteUsed }
}

describe("counters of use", () => {
  it("go on in memory while the disk is full, and are stored once there is room", () => {
    const { usage, state, stored } = disk()
    const count = () => Effect.runSync(usage.modify("a", countOne))
    expect([count(), count()]).toEqual([1, 2])
    state.fails = "Full"
    expect([count(), count(), stored()]).toEqual([3, 4, 2])
    state.fails = "no"
    expect([count(), stored(), count(), stored()]).toEqual([5, 5, 6, 6])
  })

  it("lose nothing to another failure in between", () => {
    const { usage, state, stored } = disk()
    const count = () => Effect.runSync(Effect.either(usage.modify("a", countOne)))._tag
    state.fails = "Full"
    count()
    count()
    state.fails = "Busy"
    expect(count()).toBe("Left")
    state.fails = "no"
    count()
    expect(stored()).toBe(3)
  })
})
