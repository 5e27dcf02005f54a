/** The usage port on a book, with planned faults. */
import { StorageError, type UsageRecord } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { UsageBook } from "../UsageBook.js"
import type { Crashed, Fault, Faults } from "./Faults.js"
import type { VirtualClock } from "./VirtualClock.js"

type Decide<A> = (
  current: UsageRecord | undefined
) => readonly [result: A, next: UsageRecord | undefined]

export class FaultyUsage {
  readonly #book: UsageBook
  readonly #faults: Faults
  readonly #clock: VirtualClock
  readonly #crash: () => Crashed
  /** Fails the counts that wait for their latency. */
  readonly #waiting = new Set<() => void>()

  constructor(book: UsageBook, faults: Faults, clock: VirtualClock, crash: () => Crashed) {
    this.#book = book
    this.#faults = faults
    this.#clock = clock
    this.#crash = crash
  }

  readonly modify = <A>(key: string, decide: Decide<A>): Effect.Effect<A, StorageError> =>
    Effect.suspend(() => {
      let fault: Fault | undefined
      const result = this.#book.modify(key, (current): readonly [A, UsageRecord | undefined] => {
        const [result, next] = decide(current)
        if (next !== current) fault = this.#faults.next()
        return [result, fault === undefined || fault === "CrashAfterCommit" ? next : current]
      })
      if (fault === undefined) return Effect.succeed(result)
      if (fault === "CrashBeforeCommit" || fault === "CrashAfterCommit")
        return Effect.die(this.#crash())
      if (typeof fault === "string") {
        return Effect.fail(new StorageError({ reason: fault, detail: "planned by the test" }))
      }
      return this.#later(fault.latencyMs, key, decide)
    })

  /** Fails all waiting counts: the state that they were meant for is gone. */
  dropWaiting(): void {
    for (const drop of this.#waiting) drop()
  }

  #later<A>(latencyMs: number, key: string, decide: Decide<A>): Effect.Effect<A, StorageError> {
    return Effect.async((resume) => {
      const drop = () => {
        cancel()
        this.#waiting.delete(drop)
        resume(
          Effect.fail(
            new StorageError({ reason: "Unavailable", detail: "another snapshot was restored" })
          )
        )
      }
      const cancel = this.#clock.after(latencyMs, () => {
        this.#waiting.delete(drop)
        resume(Effect.sync(() => this.#book.modify(key, decide)))
      })
      this.#waiting.add(drop)
    })
  }
}
