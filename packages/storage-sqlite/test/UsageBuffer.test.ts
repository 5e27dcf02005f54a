import { NO_USAGE } from "@petstore/core/adapter"
import { type Program, StorageError, type UsageRecord } from "@petstore/core/storage"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { UsageBuffer } from "../src/usage/UsageBuffer.js"

const countOne = (current: UsageRecord | undefined): readonly [number, UsageRecord] => {
  const minuteUsed = (current?.minuteUsed ?? 0) + 1
  return [minuteUsed, { ...(current ?? NO_USAGE), minuteUsed }]
}

/**
 * Rows on a disk that can be full, or locked: a write then runs its program, rolls back, and fails.
 */
const disk = () => {
  let rows = new Map<string, UsageRecord>()
  const state: { fails: "no" | "Full" | "Busy" | "Unknown"; writes: number } = {
    fails: "no",
    writes: 0
  }
  let version = 1
  const otherStores = (record: UsageRecord) => {
    rows.set("a", record)
    version++
  }
  /** What another process does while a write waits for the lock. */
  let meanwhile: () => void = () => undefined
  const write = <A, E>(program: () => Program<A, E>) =>
    Effect.suspend(() => {
      state.writes++
      const before = new Map(rows)
      const step = program().next()
      if (state.fails !== "no") {
        const failure = new StorageError({ reason: state.fails, detail: "test" })
        rows = before
        meanwhile()
        return Effect.fail(failure)
      }
      return step.done === true
        ? Effect.succeed(step.value)
        : Effect.die("a usage program asks for nothing")
    })
  const usage = new UsageBuffer(
    {
      get: (caller) => rows.get(caller),
      put: (caller, record) => void rows.set(caller, record),
      remove: (caller) => void rows.delete(caller)
    },
    () => version,
    write,
    write
  )
  return {
    usage,
    state,
    stored: (caller = "a") => rows.get(caller)?.minuteUsed,
    otherStores,
    whileWaiting: (run: () => void) => void (meanwhile = run),
    row: () => rows.get("a")
  }
}

describe("counters of use", () => {
  it.each(["Full", "Busy"] as const)(
    "go on in memory while the disk is %s, and are stored once it is not",
    (reason) => {
      const { usage, state, stored } = disk()
      const count = () => Effect.runSync(usage.modify("a", countOne))
      expect([count(), count()]).toEqual([1, 2])
      state.fails = reason
      expect([count(), count(), stored()]).toEqual([3, 4, 2])
      state.fails = "no"
      expect([count(), stored(), count(), stored()]).toEqual([5, 5, 6, 6])
    }
  )

  it("wait on while other processes commit in turn, rather than go on in memory", () => {
    const { usage, state, otherStores, whileWaiting, stored } = disk()
    state.fails = "Busy"
    let others = 0
    whileWaiting(() => {
      others++
      otherStores({ ...NO_USAGE, minuteUsed: others })
      if (others === 3) state.fails = "no"
    })
    expect(Effect.runSync(usage.modify("a", countOne))).toBe(4)
    expect([stored(), state.writes]).toEqual([4, 4])
  })

  it("go on in memory at last if other processes never leave the lock to this one", () => {
    const { usage, state, otherStores, whileWaiting, stored } = disk()
    state.fails = "Busy"
    let others = 0
    whileWaiting(() => otherStores({ ...NO_USAGE, minuteUsed: ++others }))
    expect(Effect.runSync(usage.modify("a", countOne))).toBe(others + 1)
    expect(stored()).toBe(others)
  })

  it("lose nothing to another failure in between", () => {
    const { usage, state, stored } = disk()
    const count = () => Effect.runSync(Effect.either(usage.modify("a", countOne)))._tag
    state.fails = "Full"
    count()
    count()
    state.fails = "Unknown"
    expect(count()).toBe("Left")
    state.fails = "no"
    count()
    expect(stored()).toBe(3)
  })

  it("kept in memory come on top of what others have counted meanwhile, and leave a ban of theirs in force", () => {
    const { usage, state, otherStores, row } = disk()
    const count = () => Effect.runSync(usage.modify("a", countOne))
    count()
    state.fails = "Busy"
    count()
    count()
    otherStores({ ...NO_USAGE, minuteUsed: 5, bannedUntilMs: 120_000, bans: 1, lastBanMs: 1 })
    expect(count()).toBe(8)
    state.fails = "no"
    expect(count()).toBe(9)
    expect(row()).toMatchObject({ minuteUsed: 9, bannedUntilMs: 120_000, bans: 1 })
  })

  it("of minutes and days that the clock has left come on top likewise, by their labels", () => {
    const { usage, state, otherStores, row } = disk()
    const minute = (startMs: number, minuteUsed: number, otherMinutes: string) => ({
      ...NO_USAGE,
      minuteStartMs: startMs * 60_000,
      minuteUsed,
      otherMinutes
    })
    const decide = (record: UsageRecord) =>
      Effect.runSync(usage.modify("a", () => [undefined, record]))
    decide(minute(100, 5, "99:7"))
    state.fails = "Busy"
    decide(minute(101, 2, "99:8 100:6"))
    otherStores(minute(100, 9, "98:1 99:7"))
    state.fails = "no"
    Effect.runSync(usage.flush)
    expect(row()).toMatchObject(minute(101, 2, "98:1 99:8 100:10"))
  })

  it("of callers that do not come back are stored with another's, or on closing", () => {
    const { usage, state, stored } = disk()
    const count = (caller: string) => Effect.runSync(usage.modify(caller, countOne))
    state.fails = "Busy"
    count("a")
    state.fails = "no"
    count("b")
    expect([stored("a"), stored("b")]).toEqual([1, 1])
    state.fails = "Busy"
    count("c")
    state.fails = "no"
    Effect.runSync(usage.flush)
    expect(stored("c")).toBe(1)
  })

  it("that are only looked at need no write", () => {
    const { usage, state } = disk()
    Effect.runSync(usage.modify("a", countOne))
    const look = (caller: string) =>
      Effect.runSync(usage.modify(caller, (current) => [current?.minuteUsed, current]))
    expect([look("a"), look("b"), state.writes]).toEqual([1, undefined, 1])
  })
})
