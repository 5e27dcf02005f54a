import { Effect, Either } from "effect"
import { describe, expect, it } from "vitest"
import { makeDeprecatedCalls } from "../../../src/access/deprecation/DeprecatedCalls.js"
import { StorageError } from "../../../src/index.js"
import type { Write } from "../../../src/engine/port/Runner.js"

const NOON_MS = Date.UTC(2027, 0, 15, 12)

/** Counts the writes, and fails as often as configured. */
const failing = (times: number) => {
  let asked = 0
  const write: Write = () => {
    asked++
    return Either.left(
      new StorageError({ reason: asked <= times ? "Busy" : "Full", detail: "by this test" })
    )
  }
  return { write, asked: () => asked }
}

describe("counting calls of what is deprecated", () => {
  it("asks the storage at once, then at most every ten seconds, however many calls there are", () => {
    const { write, asked } = failing(99)
    const calls = makeDeprecatedCalls(write)
    for (let ms = 0; ms < 30_000; ms += 10) calls.note(1, "getPet", NOON_MS + ms)
    expect(asked()).toBe(3)
  })

  it("fails no call where the storage fails, throws or rejects", async () => {
    const writes: ReadonlyArray<Write> = [
      failing(1).write,
      () => {
        throw new Error("by this test")
      },
      () => Promise.reject(new Error("by this test"))
    ]
    for (const write of writes) {
      const calls = makeDeprecatedCalls(write)
      calls.note(1, "getPet", NOON_MS)
      await Effect.runPromise(calls.flush)
    }
  })

  it("costs a storage nothing where there are no such calls", async () => {
    const { write, asked } = failing(0)
    await Effect.runPromise(makeDeprecatedCalls(write).flush)
    expect(asked()).toBe(0)
  })
})
