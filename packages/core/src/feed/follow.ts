/**
 * Follows the feed for one reader: stored changes first, then new ones. The reader pulls; between
 * pulls, only its position is kept.
 */
import * as Either from "effect/Either"
import { andThen, isPromise, type MaybePromise } from "../value/maybePromise.js"
import type { StorageError } from "../engine/port/StorageError.js"
import { onAbort } from "../value/onAbort.js"
import type { WatchedSignal } from "../value/Signal.js"
import { yieldToPlatform } from "../value/timers.js"
import { InvalidParameter } from "../value/errors.js"
import { echo } from "../value/echo.js"
import { type Change, CHANGE_TYPES, type ChangeType, type Resync } from "../shop/change/Change.js"
import type { OwnFeed } from "./Feed.js"

/** Where to begin, and which changes to skip. */
export type FollowOptions<Type extends ChangeType = ChangeType> = {
  /**
   * Begins after the change with this sequence; 0 for all that are stored. By default, only changes
   * made after the call are sent.
   */
  readonly after?: number
  /**
   * The epoch of the store that `after` comes from. If this store has another epoch, as a restored
   * backup has, the first item is a resync.
   */
  readonly epoch?: string
  /** Only changes of these types. A resync is always sent. */
  readonly types?: ReadonlyArray<Type>
  /** Ends the iteration, which then throws the reason of the signal. */
  readonly signal?: WatchedSignal
}

/** The maximum number of changes that are buffered between two pulls. */
const PAGE = 256

const END: IteratorReturnResult<undefined> = { done: true, value: undefined }

type FeedItem<Type extends ChangeType> = Extract<Change, { readonly type: Type }> | Resync
type Start = Either.Either<number | Resync, InvalidParameter | StorageError>

/** The position at which a reader begins, or a resync. */
const startOf = (feed: OwnFeed, { after, epoch, types }: FollowOptions): MaybePromise<Start> => {
  // Without this check, a misspelt type in JavaScript would wait forever.
  const strange = types?.find((type) => !CHANGE_TYPES.includes(type))
  if (strange !== undefined)
    return Either.left(
      new InvalidParameter({
        parameter: "types",
        expected: `only ${CHANGE_TYPES.join(", ")}`,
        got: echo(strange)
      })
    )
  if (after === undefined) return feed.last()
  if (!Number.isSafeInteger(after) || after < 0)
    return Either.left(
      new InvalidParameter({
        parameter: "after",
        expected: "a whole number from 0",
        got: echo(after)
      })
    )
  if (epoch === undefined) return Either.right(after)
  return andThen(feed.epoch(), (own): MaybePromise<Start> => {
    if (Either.isLeft(own)) return Either.left(own.left)
    if (own.right === epoch) return Either.right(after)
    return andThen(feed.last(), (last) => Either.map(last, resyncAt))
  })
}

const resyncAt = (sequence: number): Resync => ({ type: "resync", sequence })

export const follow = <Type extends ChangeType>(
  feed: OwnFeed,
  isOpen: () => boolean,
  options: FollowOptions<Type>
): AsyncIterableIterator<FeedItem<Type>, undefined> => {
  const { signal } = options
  const types = options.types === undefined ? undefined : new Set<string>(options.types)
  const isWanted = (change: Change): change is Extract<Change, { readonly type: Type }> =>
    types === undefined || types.has(change.type)

  let start: MaybePromise<Start> | undefined = startOf(feed, options)
  if (isPromise(start)) start.catch(() => undefined)
  let place = 0
  let generation = feed.generation()
  let held: ReadonlyArray<Change> = []
  let taken = 0
  let isOver = false
  /** Ends the wait in progress, if there is one. */
  let stopWaiting = () => undefined as void

  const goOnAfter = (resync: Resync): Resync => {
    place = resync.sequence
    held = []
    return resync
  }

  const begin = async (from: MaybePromise<Start>): Promise<Resync | undefined> => {
    const start = orThrow(await from)
    if (typeof start !== "number") return goOnAfter(start)
    place = start
    return undefined
  }

  /** The next buffered change of a wanted type. */
  const takeHeld = (): FeedItem<Type> | undefined => {
    for (let change = held[taken]; change !== undefined; change = held[taken]) {
      taken++
      place = change.sequence
      if (isWanted(change)) return change
    }
    return undefined
  }

  /** Waits for a new change, or for the end. */
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      let forget = () => undefined as void
      const stop = (): void => {
        unsubscribe()
        forget()
        resolve()
      }
      const unsubscribe = feed.subscribe(stop)
      if (signal !== undefined) forget = onAbort(signal, stop)
      stopWaiting = stop
      void stopIfBehind(stop)
    })

  /**
   * A change may have been made between the last page and the subscription. An error is reported
   * when the next page is read.
   */
  const stopIfBehind = async (stop: () => void): Promise<void> => {
    try {
      const next = await feed.page(place, 1)
      if (Either.isRight(next) && Array.isArray(next.right) && next.right.length === 0) return
    } catch {
      // The storage was closed in the meantime.
    }
    stop()
  }

  const pull = async (): Promise<FeedItem<Type> | undefined> => {
    for (;;) {
      if (isOver || !isOpen()) return undefined
      if (signal?.aborted === true) throw signal.reason
      if (start !== undefined) {
        const beginning = start
        start = undefined
        const resync = await begin(beginning)
        if (resync !== undefined) return resync
        continue
      }
      if (generation !== feed.generation()) {
        generation = feed.generation()
        return goOnAfter(resyncAt(orThrow(await feed.last())))
      }
      const change = takeHeld()
      if (change !== undefined) return change
      const page = orThrow(await feed.page(place, PAGE))
      if ("type" in page) return goOnAfter(page)
      held = page
      taken = 0
      if (page.length === 0) await wait()
      else if (page.length === PAGE) await yieldToPlatform()
    }
  }

  const step = async (): Promise<IteratorResult<FeedItem<Type>, undefined>> => {
    try {
      const item = await pull()
      if (item !== undefined) return { done: false, value: item }
      isOver = true
      return END
    } catch (failure) {
      isOver = true
      throw failure
    }
  }

  /** Concurrent pulls are answered one after the other. */
  let lastStep: Promise<unknown> = Promise.resolve()
  return {
    next: () => {
      const next = lastStep.then(step)
      lastStep = next.catch(() => undefined)
      return next
    },
    return: async () => {
      isOver = true
      held = []
      stopWaiting()
      return END
    },
    [Symbol.asyncIterator]() {
      return this
    }
  }
}

const orThrow = <A, E>(answer: Either.Either<A, E>): A => {
  if (Either.isLeft(answer)) throw answer.left
  return answer.right
}
