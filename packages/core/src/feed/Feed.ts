/** The feed of changes for adapters: pages by position, and a wake-up when there may be more. */
import type * as Clock from "effect/Clock"
import * as Either from "effect/Either"
import { andThen, isPromise, type MaybePromise } from "../value/maybePromise.js"
import type { StorageError } from "../engine/port/StorageError.js"
import { changes } from "../shop/change/rows.js"
import type { Collection, Row } from "../engine/program/Collection.js"
import type { ReadProgram } from "../engine/program/Program.js"
import type { Change, Resync } from "../shop/change/Change.js"
import { type Epoch, type EpochPorts, makeEpoch } from "./Epoch.js"
import { RECENT_COUNT, RecentChanges } from "./RecentChanges.js"
import { changesAfter, tail, type Tail } from "../shop/change/reading.js"
import { startRepeatingTimer } from "./repeatingTimer.js"
import { presentChange } from "../shop/change/presentChange.js"

type Answer<A> = MaybePromise<Either.Either<A, StorageError>>

/** The changes of a store, in the order of their commits. */
export type Feed = {
  /** The sequence of the last change; 0 when there was none. */
  readonly last: () => Answer<number>
  /**
   * Identifies the feed of this store, in letters and digits. It is stored, and differs in every
   * other store and in a restored backup. A position stored outside is valid only together with its
   * epoch.
   */
  readonly epoch: () => Answer<string>
  /**
   * At most `limit` changes after the position, oldest first; none if there is nothing newer. A
   * {@link Resync} if they are no longer stored, or the position is ahead of the store. The newest
   * changes are served from memory.
   */
  readonly page: (after: number, limit: number) => Answer<ReadonlyArray<Change> | Resync>
  /**
   * Calls `wake` after new changes: at once for writes of this process, within 250 ms for those of
   * other processes, which are polled only while there are subscribers. Calls without a new change
   * are possible. Subscribe first, then read a page, so that no change is missed. Returns a
   * function that ends the subscription.
   */
  readonly subscribe: (wake: () => void) => () => void
  /**
   * Grows when all records were replaced. Earlier positions are invalid then, and the epoch is
   * another.
   */
  readonly generation: () => number
}

/** The feed with the methods that only the engine calls. */
export type OwnFeed = Feed & {
  /** Called after every write of this process. */
  readonly written: () => void
  /** Clears the memory, because all records were replaced. */
  readonly forget: () => void
  /** Wakes every subscriber for the last time. */
  readonly close: () => void
}

type FeedPorts = EpochPorts & {
  readonly read: <A>(program: () => ReadProgram<A>) => Answer<A>
  readonly dataVersion: ((collections: ReadonlyArray<Collection<Row>>) => number) | undefined
  readonly clock: Clock.Clock
}

/** The polling interval. Subscribers are promised 250 ms, and this is at least two polls. */
const LOOKED_EVERY_MS = 100

export const makeFeed = (ports: FeedPorts): OwnFeed => {
  const recent = new RecentChanges()
  const epoch: Epoch = makeEpoch(ports)
  const listeners = new Set<() => void>()
  let latest = { dataVersion: Number.NaN, last: 0 }
  let generation = 0
  /** The sequence that the listeners were last woken for. */
  let wokenFor = -1
  let isCheckDue = false
  let stopTimer = () => undefined as void
  let underWay: Promise<Either.Either<number, StorageError>> | undefined
  let next: Promise<Either.Either<number, StorageError>> | undefined

  const take = (dataVersion: number, { last, rows }: Tail): number => {
    if (last < recent.last) recent.forget()
    recent.add(rows.map(presentChange))
    latest = { dataVersion, last }
    return last
  }

  const readTail = (): Answer<number> => {
    const dataVersion = ports.dataVersion?.([changes]) ?? Number.NaN
    if (dataVersion === latest.dataVersion) return Either.right(latest.last)
    return andThen(
      ports.read(() => tail(recent.last, RECENT_COUNT)),
      (outcome) => Either.map(outcome, (read) => take(dataVersion, read))
    )
  }

  /** Reads the changes that are not in memory yet. Calls during a read share the next one. */
  const catchUp = (): Answer<number> => {
    if (underWay !== undefined) {
      next ??= underWay.then(() => {
        next = undefined
        return catchUp()
      })
      return next
    }
    const reading = readTail()
    if (!isPromise(reading)) return reading
    underWay = reading.finally(() => (underWay = undefined))
    return underWay
  }

  const page = (after: number, limit: number): Answer<ReadonlyArray<Change> | Resync> =>
    andThen(catchUp(), (outcome): Answer<ReadonlyArray<Change> | Resync> => {
      if (Either.isLeft(outcome)) return Either.left(outcome.left)
      const last = outcome.right
      if (after === last) return Either.right([])
      if (!(after < last)) return Either.right({ type: "resync", sequence: last })
      const held = recent.after(after, limit)
      if (held !== undefined) return Either.right(held)
      return andThen(
        ports.read(() => changesAfter(after, limit)),
        (read) =>
          Either.map(read, (rows) =>
            rows[0]?.id === after + 1
              ? rows.map(presentChange)
              : ({ type: "resync", sequence: last } satisfies Resync)
          )
      )
    })

  const wakeAll = (): void => {
    const due = [...listeners]
    for (const wake of due) wake()
  }

  /**
   * A storage error is ignored here: the next poll tries again, and readers get the error
   * themselves.
   */
  const look = async (): Promise<void> => {
    try {
      const outcome = await catchUp()
      if (Either.isLeft(outcome) || outcome.right === wokenFor) return
      wokenFor = outcome.right
      wakeAll()
    } catch {
      // The storage was closed in the meantime.
    }
  }

  /** Checks once for all writes that were committed together. */
  const lookOnce = async (): Promise<void> => {
    await Promise.resolve()
    isCheckDue = false
    await look()
  }

  const written = (): void => {
    if (listeners.size === 0 || isCheckDue) return
    isCheckDue = true
    void lookOnce()
  }

  return {
    last: catchUp,
    epoch: epoch.get,
    page,
    subscribe: (wake) => {
      // A new function, so that the same `wake` can be subscribed twice.
      const listener = () => wake()
      if (listeners.size === 0)
        stopTimer = startRepeatingTimer(ports.clock, LOOKED_EVERY_MS, () => void look())
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stopTimer()
      }
    },
    written,
    generation: () => generation,
    forget: () => {
      generation++
      latest = { dataVersion: Number.NaN, last: 0 }
      recent.forget()
      epoch.forget()
      wokenFor = -1
      written()
    },
    close: () => {
      stopTimer()
      wakeAll()
      listeners.clear()
    }
  }
}
