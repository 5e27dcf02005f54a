/**
 * A store for tests: the production engine in memory, with a virtual clock, reproducible keys and
 * planned faults.
 */
import { type OpenOptions, type OpenPetStore, PetStore } from "@petstore/core"
import { storageLayerOf } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type * as Utils from "effect/Utils"
import { Memory } from "../Memory.js"
import { type Fault, Faults } from "./Faults.js"
import { FaultyStorage } from "./FaultyStorage.js"
import { nameFeed } from "./nameFeed.js"
import { SeededBytes } from "./SeededBytes.js"
import { type Instant, instantMsOf, millisecondsOf, type Span } from "./time.js"
import { VirtualClock } from "./VirtualClock.js"

/** Options of a test store, which has a storage, clock and random bytes of its own. */
export type TestStoreOptions = Omit<OpenOptions, "storage" | "clock" | "randomBytes"> & {
  /**
   * The same seed makes the same keys, and the same name of the feed of changes. Default 1. Ids
   * count from 1 in any store.
   */
  readonly seed?: number
  /** The start of the clock. Default 2026-01-01T00:00:00Z. */
  readonly now?: Instant
}

/** An immutable state of a test store: its records, usage counts, bans, time, and next keys. */
export type Snapshot = {
  readonly memory: Memory
  readonly nowMs: number
  readonly entropy: Utils.PCGRandomState
}

/** The part of a response, such as a `Response`, that has its headers. */
export type WithHeaders = { readonly headers: { readonly get: (name: string) => string | null } }

/** A store with what tests need: a clock that they move, snapshots, and planned faults. */
export type TestStore = OpenPetStore & {
  /** Milliseconds since 1970, by the virtual clock. */
  readonly nowMs: () => number
  /** Moves the clock: `advance("1 day")`, `advance(1_500)`. Timers run at their due time. */
  readonly advance: (span: Span) => void
  /**
   * Moves the clock to an instant, such as the value of a `Sunset` field. Throws a RangeError for
   * one in the past.
   */
  readonly advanceTo: (instant: Instant) => void
  /**
   * Moves the clock to the instant in the response's `Sunset` field. Throws a RangeError if it has
   * none.
   */
  readonly advanceToSunset: (response: WithHeaders) => void
  /**
   * Moves the clock to the end of the account's `Retry-After`, if it has one; else to the reset of
   * the tighter of its windows.
   */
  readonly advanceToNextReset: (accountId: number) => Promise<void>
  /** Moves the clock to the end of the account's ban. Rejects if it has none. */
  readonly advanceToEndOfBan: (accountId: number) => Promise<void>
  /**
   * Plans a fault for the nth write from now on, 1 being the next. A write is a program that ends
   * with something to write, from any API or adapter. Refused ones are not counted, nor is the
   * store's own bookkeeping: when keys were last used, and how often a deprecated feature is
   * called.
   */
  readonly failWrite: (nth: number, fault: Fault) => void
  /**
   * The same for the nth change of the counters of limits and bans. Requests are counted in blocks,
   * so not every one changes a counter; the first of an account after the store was opened or
   * restored does. Latency delays the request; a caller that needs its answer at once gets none.
   */
  readonly failCount: (nth: number, fault: Fault) => void
  /** Cancels all planned faults. */
  readonly clearFaults: () => void
  /**
   * The present state. It can be restored any number of times, in other test stores as well. Costs
   * the same for any number of records.
   */
  readonly snapshot: () => Promise<Snapshot>
  /**
   * Replaces the state by the snapshot's. Writes that wait for their latency fail as `Unavailable`.
   * Planned faults stay.
   */
  readonly restore: (snapshot: Snapshot) => Promise<void>
  /**
   * Restores the state that it was opened with, empty unless it is a fork. Cancels planned faults.
   */
  readonly reset: () => Promise<void>
  /** Another, independent store in the same state, without the planned faults. Close it as well. */
  readonly fork: () => Promise<TestStore>
}

const DEFAULT_START = "2026-01-01T00:00:00Z"

/**
 * Opens a store for tests. It needs no file, no port and no cleanup, and never waits: the test
 * moves the clock. It can be passed wherever a store is, such as to `toWebHandler(store)`.
 *
 * @example
 * const store = await openTestStore({ seed: 42 })
 * store.failWrite(2, "Busy")
 * store.advance("1 day")
 */
export const openTestStore = async (options: TestStoreOptions = {}): Promise<TestStore> => {
  const { seed = 1, now = DEFAULT_START } = options
  const store = await openFrom(
    { memory: new Memory(), nowMs: instantMsOf(now), entropy: new SeededBytes(seed).state },
    options,
    `test${(seed >>> 0).toString(36)}`
  )
  // Warms up the code of snapshots, so that a test's first one is as fast as the others.
  await store.snapshot()
  return store
}

/** Test stores always have webhooks, and sign them with a secret that is public. */
const WEBHOOK_SECRET = "a secret of test stores, which everybody knows"

const openFrom = async (
  start: Snapshot,
  options: TestStoreOptions,
  name: string
): Promise<TestStore> => {
  const memory = start.memory.fork()
  nameFeed(memory, name)
  let renamed = 0
  /**
   * The next name for this store or a fork of it. It depends on this store's earlier calls alone.
   */
  const nextName = () => `${name}x${++renamed}`
  const clock = new VirtualClock(start.nowMs)
  const bytes = new SeededBytes(0)
  bytes.state = start.entropy
  const faults = new Faults()
  const countFaults = new Faults()
  const storage = new FaultyStorage(memory, faults, countFaults, clock)

  const { seed: _seed, now: _now, ...policies } = options
  const store = await PetStore.open({
    ...policies,
    webhooks: { secret: WEBHOOK_SECRET, ...policies.webhooks },
    storage: storageLayerOf(storage.services),
    clock,
    randomBytes: bytes.take
  })
  const { authenticator, deprecations, ownFeed } = store.engine

  const forget = () => {
    authenticator.forget()
    deprecations.forget()
    ownFeed.forget()
  }
  storage.onCrash = forget

  const clearFaults = () => {
    faults.clear()
    countFaults.clear()
  }

  const snapshot = async (): Promise<Snapshot> => {
    await Effect.runPromise(Effect.zipRight(authenticator.settle, deprecations.flush))
    return { memory: memory.fork(), nowMs: clock.unsafeCurrentTimeMillis(), entropy: bytes.state }
  }

  const restore = async (snapshot: Snapshot): Promise<void> => {
    storage.dropWaiting()
    memory.adopt(snapshot.memory)
    nameFeed(memory, nextName())
    clock.set(snapshot.nowMs)
    bytes.state = snapshot.entropy
    forget()
  }

  return {
    ...store,
    nowMs: () => clock.unsafeCurrentTimeMillis(),
    advance: (span) => clock.moveTo(clock.unsafeCurrentTimeMillis() + millisecondsOf(span)),
    advanceTo: (instant) => clock.moveTo(instantMsOf(instant)),
    advanceToSunset: ({ headers }) =>
      clock.moveTo(instantMsOf(headers.get("sunset") ?? "no Sunset field")),
    advanceToNextReset: async (accountId) => {
      const { retryAtMs, headers } = await store.limits.get(accountId)
      clock.moveTo(retryAtMs ?? headers.resetSeconds * 1_000)
    },
    advanceToEndOfBan: async (accountId) => {
      const { bannedUntilMs } = await store.limits.get(accountId)
      if (bannedUntilMs === null) throw new RangeError(`account ${accountId} is not banned`)
      clock.moveTo(bannedUntilMs)
    },
    failWrite: (nth, fault) => faults.plan(nth, fault),
    failCount: (nth, fault) => countFaults.plan(nth, fault),
    clearFaults,
    snapshot,
    restore,
    reset: () => {
      clearFaults()
      return restore(start)
    },
    fork: async () => openFrom(await snapshot(), options, nextName())
  }
}
