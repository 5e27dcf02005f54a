/** A store for tests: the production engine in memory, on a clock that the test moves, with keys and faults that repeat. */
import { type OpenOptions, type OpenPetStore, PetStore, storageLayerOf } from "@petstore/core"
import * as Effect from "effect/Effect"
import type * as Utils from "effect/Utils"
import { Memory } from "../Memory.js"
import { type Fault, Faults } from "./Faults.js"
import { FaultyStorage } from "./FaultyStorage.js"
import { nameFeed } from "./nameFeed.js"
import { SeededBytes } from "./SeededBytes.js"
import { type Instant, instantMsOf, millisecondsOf, type Span } from "./time.js"
import { VirtualClock } from "./VirtualClock.js"

/** What a store for tests is opened with; it brings its storage, clock and randomness along. */
export type TestStoreOptions = Omit<OpenOptions, "storage" | "clock" | "randomBytes"> & {
  /** The same seed makes the same keys, and gives the feed of changes the same name; 1 unless given. Ids count from 1 in any store. */
  readonly seed?: number
  /** When the clock starts; 2026-01-01T00:00:00Z unless given. */
  readonly now?: Instant
}

/** A state of a test store: its records, counts of use, bans, time, and what keys come next. Nobody can change it. */
export type Snapshot = {
  readonly memory: Memory
  readonly nowMs: number
  readonly entropy: Utils.PCGRandomState
}

/** What is looked at of an answer, such as a `Response`. */
export type WithHeaders = { readonly headers: { readonly get: (name: string) => string | null } }

/** A store with what tests need besides: time that they move, states to go back to, faults that they plan. */
export type TestStore = OpenPetStore & {
  /** Milliseconds since 1970, by the virtual clock. */
  readonly nowMs: () => number
  /** Lets time pass: `advance("1 day")`, `advance(1_500)`. What waits for a time meanwhile happens at that time. */
  readonly advance: (span: Span) => void
  /** Lets time pass until then; throws a RangeError where that is over. Takes the value of a `Sunset` field as it is. */
  readonly advanceTo: (instant: Instant) => void
  /** Lets time pass until what the `Sunset` field of this answer announces; throws a RangeError for an answer without one. */
  readonly advanceToSunset: (answer: WithHeaders) => void
  /** Until the account, if it was told to wait, need not any more; else until the tighter of its windows starts anew. */
  readonly advanceToNextReset: (accountId: number) => Promise<void>
  /** Until the account's ban is over; rejects where there is none. */
  readonly advanceToEndOfBan: (accountId: number) => Promise<void>
  /**
   * Plans that something happens to the nth write from now on, 1 being the next. Programs that come to their end with something
   * to write are counted, whichever face or adapter they come from; refused ones aren't, nor is the store's own
   * bookkeeping: when keys were last used, and how often what is deprecated is called.
   */
  readonly failWrite: (nth: number, fault: Fault) => void
  /**
   * The same for the nth change of the counters of limits and bans. Requests are counted in blocks, so that not each one changes a
   * counter; the first of an account after the store was opened or restored does. Latency holds up the request; whoever asks for an
   * answer at once gets none.
   */
  readonly failCount: (nth: number, fault: Fault) => void
  /** Takes back what is planned. */
  readonly clearFaults: () => void
  /** The present state, to be restored as often as one likes, also in another test store. Costs the same for any number of records. */
  readonly snapshot: () => Promise<Snapshot>
  /** Back, or forth, to that state. Writes that are held up by latency fail as `Unavailable`; planned faults stay. */
  readonly restore: (snapshot: Snapshot) => Promise<void>
  /** Back to how it was opened, empty unless it is a fork, with nothing planned. */
  readonly reset: () => Promise<void>
  /** Another store in the same state; from now on the two have nothing in common. Faults are not taken along. To be closed on its own. */
  readonly fork: () => Promise<TestStore>
}

const DEFAULT_START = "2026-01-01T00:00:00Z"

/**
 * Opens a store for tests. It needs no file, no port and no cleaning up, and waits for nothing: time is what the test says it is.
 * Whatever takes a store takes it, such as `toWebHandler(store)`.
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
  // Code takes ten times as long when it runs for the first time: that shall not fall on the first snapshot of a test.
  await store.snapshot()
  return store
}

/** Test stores have webhooks without being asked; what signs them is no secret. */
const WEBHOOK_SECRET = "a secret of test stores, which everybody knows"

const openFrom = async (beginning: Snapshot, options: TestStoreOptions, name: string): Promise<TestStore> => {
  const memory = beginning.memory.fork()
  nameFeed(memory, name)
  let renamed = 0
  /** What this store, or a fork of it, is called from now on: told by the calls before alone, whatever other stores do. */
  const nextName = () => `${name}x${++renamed}`
  const clock = new VirtualClock(beginning.nowMs)
  const bytes = new SeededBytes(0)
  bytes.state = beginning.entropy
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
  const { gate, deprecations, ownFeed } = store.engine

  const forget = () => {
    gate.forget()
    deprecations.forget()
    ownFeed.forget()
  }
  storage.onCrash = forget

  const clearFaults = () => {
    faults.clear()
    countFaults.clear()
  }

  const snapshot = async (): Promise<Snapshot> => {
    await Effect.runPromise(Effect.zipRight(gate.settle, deprecations.flush))
    return { memory: memory.fork(), nowMs: clock.unsafeCurrentTimeMillis(), entropy: bytes.state }
  }

  const restore = async (wanted: Snapshot): Promise<void> => {
    storage.dropWaiting()
    memory.adopt(wanted.memory)
    nameFeed(memory, nextName())
    clock.set(wanted.nowMs)
    bytes.state = wanted.entropy
    forget()
  }

  return {
    ...store,
    nowMs: () => clock.unsafeCurrentTimeMillis(),
    advance: (span) => clock.moveTo(clock.unsafeCurrentTimeMillis() + millisecondsOf(span)),
    advanceTo: (instant) => clock.moveTo(instantMsOf(instant)),
    advanceToSunset: ({ headers }) => clock.moveTo(instantMsOf(headers.get("sunset") ?? "no Sunset field")),
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
      return restore(beginning)
    },
    fork: async () => openFrom(await snapshot(), options, nextName())
  }
}
