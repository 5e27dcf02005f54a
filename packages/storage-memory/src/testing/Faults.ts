/** What is planned to go wrong, by the number of the write it shall happen to. */
import { changes, deprecatedCalls, feedEpochs, keyUses, type StorageErrorReason } from "@petstore/core"
import * as Data from "effect/Data"

/**
 * - a reason of `StorageError`, such as `"Busy"` or `"Full"`: the write fails with it, and nothing is written;
 * - `"CrashBeforeCommit"`, `"CrashAfterCommit"`: the caller gets no answer but {@link Crashed}; nothing, or everything, is written. What
 *   the process had in memory only is lost, and the store goes on as one that was opened again;
 * - `{ latencyMs }`: the write happens and is answered so much later, by the virtual clock. The direct face, which can't wait,
 *   moves the clock itself.
 */
export type Fault =
  | StorageErrorReason
  | "CrashBeforeCommit"
  | "CrashAfterCommit"
  | { readonly latencyMs: number }

/** The process would be gone now: whether it had written what it was asked to is for the caller to find out. */
export class Crashed extends Data.TaggedError("Crashed")<{}> {
  override get message(): string {
    return "the process crashed here, as the test has planned"
  }
}

/** What a store notes on its own account: whether it happens to be due shall not move the number of a write. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  keyUses.name,
  deprecatedCalls.name,
  changes.name,
  feedEpochs.name
])

export const isCounted = (collection: string): boolean => !BOOKKEEPING.has(collection)

export class Faults {
  readonly #planned = new Map<number, Fault>()
  #writes = 0

  /** The nth write from now on. */
  plan(nth: number, fault: Fault): void {
    if (!(Number.isInteger(nth) && nth >= 1)) {
      throw new RangeError(`expected the number of a write, 1 for the next one, got ${nth}`)
    }
    this.#planned.set(this.#writes + nth, fault)
  }

  clear(): void {
    this.#planned.clear()
  }

  /** Counts a write, and says what happens to it. */
  next(): Fault | undefined {
    this.#writes++
    const fault = this.#planned.get(this.#writes)
    this.#planned.delete(this.#writes)
    return fault
  }
}
