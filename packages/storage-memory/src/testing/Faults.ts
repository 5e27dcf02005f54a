/** Planned faults, by the number of the write that they happen to. */
import {
  changes,
  deprecatedCalls,
  feedEpochs,
  keyUses,
  type StorageErrorReason
} from "@petstore/core/storage"
import * as Data from "effect/Data"

/**
 * - a reason of `StorageError`, such as `"Busy"` or `"Full"`: the write fails with it, and nothing
 *   is written;
 * - `"CrashBeforeCommit"`, `"CrashAfterCommit"`: the caller gets {@link Crashed} and no other
 *   answer. Nothing is written, or everything. What the process had in memory only is lost, and the
 *   store continues as one that was opened again;
 * - `{ latencyMs }`: the write happens, and is answered, this much later by the virtual clock. The
 *   direct API can't wait, so it moves the clock itself.
 */
export type Fault =
  | StorageErrorReason
  | "CrashBeforeCommit"
  | "CrashAfterCommit"
  | { readonly latencyMs: number }

/** The process would be gone now. Whether the write was committed is for the caller to find out. */
export class Crashed extends Data.TaggedError("Crashed")<{}> {
  override get message(): string {
    return "the process crashed here, as the test has planned"
  }
}

/**
 * Collections that a store writes on its own schedule, which must not change the number of a write.
 */
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

  /** Plans a fault for the nth write from now on, from 1. */
  plan(nth: number, fault: Fault): void {
    if (!(Number.isInteger(nth) && nth >= 1)) {
      throw new RangeError(`expected the number of a write, 1 for the next one, got ${nth}`)
    }
    this.#planned.set(this.#writes + nth, fault)
  }

  clear(): void {
    this.#planned.clear()
  }

  /** Counts a write, and returns its fault. */
  next(): Fault | undefined {
    this.#writes++
    const fault = this.#planned.get(this.#writes)
    this.#planned.delete(this.#writes)
    return fault
  }
}
