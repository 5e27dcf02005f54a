/**
 * The usage counters, stored with everything else. While they can't be stored, since the disk is
 * full or another process holds the lock, they continue in memory, so that callers can go on
 * reading. They are stored as soon as that works again.
 */
import type { Storage, StorageError, UsageRecord } from "@petstore/core/storage"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type PendingUsage, rebased } from "./PendingUsage.js"

export type Decide<A> = (current: UsageRecord | undefined) => readonly [A, UsageRecord | undefined]

/** One row for each caller. Used inside transactions, and for reading outside of them. */
export type UsageRows = {
  readonly get: (caller: string) => UsageRecord | undefined
  readonly put: (caller: string, record: UsageRecord) => void
  readonly remove: (caller: string) => void
}

/** With each decision that is stored, so many pending ones are stored. */
const STORED_ALONG = 64

const GOES_ON: ReadonlySet<StorageError["reason"]> = new Set<StorageError["reason"]>([
  "Full",
  "Busy"
])

export class UsageBuffer {
  readonly #rows: UsageRows
  readonly #write: Context.Tag.Service<Storage>["write"]
  readonly #tryWrite: Context.Tag.Service<Storage>["write"]
  /**
   * Whether the last write waited for the lock in vain: the next ones don't wait until one gets it.
   */
  #isLocked = false
  /** What could not be stored, by caller. */
  readonly #pending = new Map<string, PendingUsage>()

  /** `write` fails as `Busy` soon, since a request waits for it; `tryWrite` fails at once. */
  constructor(
    rows: UsageRows,
    write: Context.Tag.Service<Storage>["write"],
    tryWrite: Context.Tag.Service<Storage>["write"]
  ) {
    this.#rows = rows
    this.#write = write
    this.#tryWrite = tryWrite
  }

  /** A decision that changes nothing is answered from what is stored, and waits for nobody. */
  modify<A>(caller: string, decide: Decide<A>): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => {
      const looked = this.#look(caller, decide)
      return Option.isSome(looked) ? Effect.succeed(looked.value) : this.#store(caller, decide)
    })
  }

  /**
   * Stores all that is pending, in one commit, before closing. What can't be stored then is lost.
   */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#pending.size === 0) return Effect.void
    const taken = new Map(this.#pending)
    return Effect.ignore(this.#write<void, never>(() => this.#putAll(taken)))
  })

  /** None if the decision changes something, or the file can't be read now. */
  #look<A>(caller: string, decide: Decide<A>): Option.Option<A> {
    const found = Option.liftThrowable(() => this.#rows.get(caller))()
    if (Option.isNone(found)) return Option.none()
    const current = this.#asOf(found.value, this.#pending.get(caller))
    const [answer, next] = decide(current)
    return next === current ? Option.some(answer) : Option.none()
  }

  #asOf(row: UsageRecord | undefined, pending: PendingUsage | undefined): UsageRecord | undefined {
    return pending === undefined ? row : rebased(row, pending)
  }

  #store<A>(caller: string, decide: Decide<A>): Effect.Effect<A, StorageError> {
    // The program may run several times. What it took must not be lost when a run is rolled back.
    const taken = new Map<string, PendingUsage>()
    const write = this.#isLocked ? this.#tryWrite : this.#write
    const stored = write<A, never>(() => {
      this.#isLocked = false
      this.#take(caller, taken)
      return this.#program(caller, decide, taken)
    })
    return Effect.catchAll(stored, (failure) => {
      this.#isLocked = failure.reason === "Busy"
      for (const [each, pending] of taken)
        if (!this.#pending.has(each)) this.#pending.set(each, pending)
      return GOES_ON.has(failure.reason)
        ? Effect.sync(() => this.#keep(caller, decide))
        : Effect.fail(failure)
    })
  }

  #take(caller: string, taken: Map<string, PendingUsage>): void {
    if (this.#pending.size === 0) return
    for (const each of [caller, ...[...this.#pending.keys()].slice(0, STORED_ALONG)]) {
      const pending = this.#pending.get(each)
      if (pending === undefined) continue
      taken.set(each, pending)
      this.#pending.delete(each)
    }
  }

  *#program<A>(
    caller: string,
    decide: Decide<A>,
    taken: ReadonlyMap<string, PendingUsage>
  ): Generator<never, A, unknown> {
    yield* this.#putAll(taken)
    const row = this.#rows.get(caller)
    const [answer, next] = decide(row)
    if (next !== row) this.#put(caller, next)
    return answer
  }

  *#putAll(taken: ReadonlyMap<string, PendingUsage>): Generator<never, void, unknown> {
    for (const [caller, pending] of taken)
      this.#put(caller, rebased(this.#rows.get(caller), pending))
  }

  #put(caller: string, record: UsageRecord | undefined): void {
    if (record === undefined) this.#rows.remove(caller)
    else this.#rows.put(caller, record)
  }

  #keep<A>(caller: string, decide: Decide<A>): A {
    const row = this.#rows.get(caller)
    const [answer, record] = decide(this.#asOf(row, this.#pending.get(caller)))
    this.#pending.set(caller, { base: row, record })
    return answer
  }
}
