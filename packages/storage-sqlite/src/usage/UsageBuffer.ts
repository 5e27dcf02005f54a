/**
 * Stores the usage counters of callers in the file. While it can't, because the disk is full or
 * another process holds the lock, it counts in memory, so that callers can still read. It stores
 * those counters with the next write that succeeds.
 */
import type { Storage, StorageError, UsageRecord } from "@petstore/core/storage"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type PendingUsage, rebase } from "./PendingUsage.js"

export type Decide<A> = (current: UsageRecord | undefined) => readonly [A, UsageRecord | undefined]

/** One row for each caller. Writes happen inside transactions, reads inside and outside. */
export type UsageRows = {
  readonly get: (caller: string) => UsageRecord | undefined
  readonly put: (caller: string, record: UsageRecord) => void
  readonly remove: (caller: string) => void
}

/**
 * How often a write that timed out waits for the lock again while other processes commit. They hold
 * the lock in turn then, and counting in memory would admit more than the limit.
 */
const MAX_TIMEOUTS = 20

/** The most pending records that a write stores in addition to its own. */
const MAX_PENDING_PER_WRITE = 64

const BUFFERED_FAILURES: ReadonlySet<StorageError["reason"]> = new Set<StorageError["reason"]>([
  "Full",
  "Busy"
])

export class UsageBuffer {
  readonly #rows: UsageRows
  readonly #readDataVersion: () => number
  readonly #write: Context.Tag.Service<Storage>["write"]
  readonly #tryWrite: Context.Tag.Service<Storage>["write"]
  /**
   * The data version at which the last write timed out waiting for the lock. Until another process
   * commits, or a write gets the lock, writes don't wait for it.
   */
  #lockedVersion: number | undefined
  /** Records that could not be stored, by caller. */
  readonly #pending = new Map<string, PendingUsage>()

  /**
   * `dataVersion` changes with each commit of another connection. `write` times out soon, since a
   * request waits for it; `tryWrite` fails as `Busy` at once.
   */
  constructor(
    rows: UsageRows,
    dataVersion: () => number,
    write: Context.Tag.Service<Storage>["write"],
    tryWrite: Context.Tag.Service<Storage>["write"]
  ) {
    this.#rows = rows
    this.#readDataVersion = dataVersion
    this.#write = write
    this.#tryWrite = tryWrite
  }

  /** A decision that changes nothing needs no write, and so never waits for the lock. */
  modify<A>(caller: string, decide: Decide<A>): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => {
      const decision = this.#decideWithoutWriting(caller, decide)
      return Option.isSome(decision) ? Effect.succeed(decision.value) : this.#store(caller, decide)
    })
  }

  /**
   * Stores all pending records in one commit, before the file is closed. If that fails, they are
   * lost.
   */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#pending.size === 0) return Effect.void
    const batch = new Map(this.#pending)
    return Effect.ignore(this.#write<void, never>(() => this.#putAll(batch)))
  })

  /** None if the decision changes the record, or if the file can't be read. */
  #decideWithoutWriting<A>(caller: string, decide: Decide<A>): Option.Option<A> {
    const row = Option.liftThrowable(() => this.#rows.get(caller))()
    if (Option.isNone(row)) return Option.none()
    const current = this.#currentRecord(row.value, this.#pending.get(caller))
    const [result, next] = decide(current)
    return next === current ? Option.some(result) : Option.none()
  }

  #currentRecord(
    row: UsageRecord | undefined,
    pending: PendingUsage | undefined
  ): UsageRecord | undefined {
    return pending === undefined ? row : rebase(row, pending)
  }

  #store<A>(
    caller: string,
    decide: Decide<A>,
    timeoutsLeft = MAX_TIMEOUTS
  ): Effect.Effect<A, StorageError> {
    // The program may run several times. The batch must not be lost when a run is rolled back.
    const batch = new Map<string, PendingUsage>()
    const version = this.#dataVersion()
    const mayWait = version === undefined || version !== this.#lockedVersion
    const write = mayWait ? this.#write : this.#tryWrite
    const stored = write<A, never>(() => {
      this.#lockedVersion = undefined
      this.#movePendingTo(caller, batch)
      return this.#program(caller, decide, batch)
    })
    return Effect.catchAll(stored, (failure) => {
      for (const [each, pending] of batch)
        if (!this.#pending.has(each)) this.#pending.set(each, pending)
      if (failure.reason === "Busy") {
        const current = this.#dataVersion()
        if (current !== version && timeoutsLeft > 0)
          return this.#store(caller, decide, timeoutsLeft - 1)
        this.#lockedVersion = current
      }
      return BUFFERED_FAILURES.has(failure.reason)
        ? Effect.sync(() => this.#decideInMemory(caller, decide))
        : Effect.fail(failure)
    })
  }

  /** Undefined if the file can't be read. */
  #dataVersion(): number | undefined {
    return Option.getOrUndefined(Option.liftThrowable(this.#readDataVersion)())
  }

  #movePendingTo(caller: string, batch: Map<string, PendingUsage>): void {
    if (this.#pending.size === 0) return
    for (const each of [caller, ...[...this.#pending.keys()].slice(0, MAX_PENDING_PER_WRITE)]) {
      const pending = this.#pending.get(each)
      if (pending === undefined) continue
      batch.set(each, pending)
      this.#pending.delete(each)
    }
  }

  *#program<A>(
    caller: string,
    decide: Decide<A>,
    batch: ReadonlyMap<string, PendingUsage>
  ): Generator<never, A, unknown> {
    yield* this.#putAll(batch)
    const row = this.#rows.get(caller)
    const [result, next] = decide(row)
    if (next !== row) this.#put(caller, next)
    return result
  }

  *#putAll(batch: ReadonlyMap<string, PendingUsage>): Generator<never, void, unknown> {
    for (const [caller, pending] of batch)
      this.#put(caller, rebase(this.#rows.get(caller), pending))
  }

  #put(caller: string, record: UsageRecord | undefined): void {
    if (record === undefined) this.#rows.remove(caller)
    else this.#rows.put(caller, record)
  }

  #decideInMemory<A>(caller: string, decide: Decide<A>): A {
    const row = this.#rows.get(caller)
    const [result, record] = decide(this.#currentRecord(row, this.#pending.get(caller)))
    this.#pending.set(caller, { base: row, record })
    return result
  }
}
