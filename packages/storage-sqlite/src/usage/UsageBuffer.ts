/**
 * The counters of use, stored with everything else. Where they can't be stored, since the disk is full or another process holds the
 * lock, they go on in this process's memory, so that callers can go on reading, and are stored once that can be done again.
 */
import type { Storage, StorageError, UsageRecord } from "@petstore/core"
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

/** With each decision that is stored, so many others are stored that were kept in memory before. */
const STORED_ALONG = 64

const GOES_ON: ReadonlySet<StorageError["reason"]> = new Set<StorageError["reason"]>(["Full", "Busy"])

export class UsageBuffer {
  readonly #rows: UsageRows
  readonly #write: Context.Tag.Service<Storage>["write"]
  readonly #tryWrite: Context.Tag.Service<Storage>["write"]
  /** Whether the last write waited for the lock in vain: then the next ones don't wait, until one finds it free. */
  #isLocked = false
  /** What could not be stored, by caller. Empty but for a full disk, or a lock that another process holds for long. */
  readonly #kept = new Map<string, PendingUsage>()

  /** `write` is to fail as `Busy` soon, as a request waits for it, and `tryWrite` at once. */
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

  /** Stores all that is kept, in one commit. For closing: what can't be stored then is lost, as after a crash. */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#kept.size === 0) return Effect.void
    const taken = new Map(this.#kept)
    return Effect.ignore(this.#write<void, never>(() => this.#putAll(taken)))
  })

  /** None where the decision changes something, or the file can't even be read now. */
  #look<A>(caller: string, decide: Decide<A>): Option.Option<A> {
    const found = Option.liftThrowable(() => this.#rows.get(caller))()
    if (Option.isNone(found)) return Option.none()
    const current = this.#asOf(found.value, this.#kept.get(caller))
    const [answer, next] = decide(current)
    return next === current ? Option.some(answer) : Option.none()
  }

  #asOf(row: UsageRecord | undefined, kept: PendingUsage | undefined): UsageRecord | undefined {
    return kept === undefined ? row : rebased(row, kept)
  }

  #store<A>(caller: string, decide: Decide<A>): Effect.Effect<A, StorageError> {
    // The program may run several times; what it took out of memory must not be lost with a run that was rolled back.
    const taken = new Map<string, PendingUsage>()
    const write = this.#isLocked ? this.#tryWrite : this.#write
    const stored = write<A, never>(() => {
      this.#isLocked = false
      this.#take(caller, taken)
      return this.#program(caller, decide, taken)
    })
    return Effect.catchAll(stored, (failure) => {
      this.#isLocked = failure.reason === "Busy"
      for (const [each, kept] of taken) if (!this.#kept.has(each)) this.#kept.set(each, kept)
      return GOES_ON.has(failure.reason)
        ? Effect.sync(() => this.#keep(caller, decide))
        : Effect.fail(failure)
    })
  }

  #take(caller: string, taken: Map<string, PendingUsage>): void {
    if (this.#kept.size === 0) return
    for (const each of [caller, ...[...this.#kept.keys()].slice(0, STORED_ALONG)]) {
      const kept = this.#kept.get(each)
      if (kept === undefined) continue
      taken.set(each, kept)
      this.#kept.delete(each)
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
    for (const [caller, kept] of taken) this.#put(caller, rebased(this.#rows.get(caller), kept))
  }

  #put(caller: string, record: UsageRecord | undefined): void {
    if (record === undefined) this.#rows.remove(caller)
    else this.#rows.put(caller, record)
  }

  #keep<A>(caller: string, decide: Decide<A>): A {
    const row = this.#rows.get(caller)
    const [answer, record] = decide(this.#asOf(row, this.#kept.get(caller)))
    this.#kept.set(caller, { base: row, record })
    return answer
  }
}
