/**
 * The counters of use, stored with everything else. Where the disk has no room for them they go on in this process's memory,
 * so that callers can go on reading, and are stored with the caller's next one that finds room.
 */
import type { Storage, StorageError, UsageRecord } from "@petstore/core"
import { type Context, Effect } from "effect"

export type Decide<A> = (current: UsageRecord | undefined) => readonly [A, UsageRecord | undefined]

/** One row for each caller. Used inside transactions, and for reading outside of them. */
export type UsageRows = {
  readonly get: (caller: string) => UsageRecord | undefined
  readonly put: (caller: string, record: UsageRecord) => void
  readonly remove: (caller: string) => void
}

type Kept = { readonly record: UsageRecord | undefined }

export class KeptUsage {
  readonly #rows: UsageRows
  readonly #write: Context.Tag.Service<Storage>["write"]
  /** What found no room, by caller. Empty but for a full disk. */
  readonly #kept = new Map<string, Kept>()

  constructor(rows: UsageRows, write: Context.Tag.Service<Storage>["write"]) {
    this.#rows = rows
    this.#write = write
  }

  modify<A>(caller: string, decide: Decide<A>): Effect.Effect<A, StorageError> {
    // The program may run several times; what it took out of memory must not be lost with a run that was rolled back.
    let taken: Kept | undefined
    const stored = this.#write<A, never>(() => {
      taken = this.#kept.get(caller) ?? taken
      this.#kept.delete(caller)
      return this.#program(caller, decide, taken)
    })
    return Effect.catchAll(stored, (failure) =>
      failure.reason === "Full"
        ? Effect.sync(() => this.#keep(caller, decide, taken))
        : this.#putBack(caller, taken, failure)
    )
  }

  *#program<A>(caller: string, decide: Decide<A>, taken: Kept | undefined): Generator<never, A, unknown> {
    const row = this.#rows.get(caller)
    const current = taken === undefined ? row : taken.record
    const [answer, next] = decide(current)
    if (next === row) return answer
    if (next === undefined) this.#rows.remove(caller)
    else this.#rows.put(caller, next)
    return answer
  }

  #keep<A>(caller: string, decide: Decide<A>, taken: Kept | undefined): A {
    const known = this.#kept.get(caller) ?? taken
    const [answer, record] = decide(known === undefined ? this.#rows.get(caller) : known.record)
    this.#kept.set(caller, { record })
    return answer
  }

  #putBack(
    caller: string,
    taken: Kept | undefined,
    failure: StorageError
  ): Effect.Effect<never, StorageError> {
    if (taken !== undefined && !this.#kept.has(caller)) this.#kept.set(caller, taken)
    return Effect.fail(failure)
  }
}
