/** The feed of changes for hosts: followed, in pages, and by record. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Change, ChangeType, RecordKind, Resync } from "../shop/change/Change.js"
import { follow, type FollowOptions } from "../feed/follow.js"
import { historyOf } from "../feed/history.js"
import { changesAfter } from "../shop/change/reading.js"
import { presentChange } from "../shop/change/presentChange.js"
import type { Engine } from "../Engine.js"
import { effectOf } from "../value/maybePromise.js"
import type { StorageError } from "../engine/port/StorageError.js"
import { echo } from "../value/echo.js"
import { InvalidParameter } from "../value/errors.js"
import type { WatchedSignal } from "../value/Signal.js"
import { traced } from "./traced.js"

/** The query of a page of changes. */
export type ChangePage = {
  /** Only changes after this sequence. By default, from the oldest stored change on. */
  readonly after?: number
  /** The page size: 1 to 1,000, 100 by default. */
  readonly limit?: number
}

/** The query of the history of a record. */
export type HistoryPage = {
  /** Only changes before this sequence. */
  readonly before?: number
  /** How many changes, the newest ones: 1 to 1,000, 100 by default. */
  readonly limit?: number
}

/** The changes of one kind of record. */
export type ChangeOf<Kind extends RecordKind> = Extract<
  Change,
  { readonly type: `${Kind}.${string}` }
>

/** The feed in effects. To follow it as a `Stream`, see `@petstore/core/changes`. */
export type ChangesEffects = {
  /**
   * The changes after a position, oldest first; a {@link Resync} if those are no longer stored.
   * Refused: `InvalidParameter`.
   */
  readonly page: (
    page?: ChangePage
  ) => Effect.Effect<ReadonlyArray<Change> | Resync, InvalidParameter | StorageError>
  /** The stored changes of one record, newest last. Refused: `InvalidParameter`. */
  readonly history: <Kind extends RecordKind>(
    kind: Kind,
    recordId: number,
    page?: HistoryPage
  ) => Effect.Effect<ReadonlyArray<ChangeOf<Kind>>, InvalidParameter | StorageError>
  /** The sequence of the last change; 0 if there is none. */
  readonly last: () => Effect.Effect<number, StorageError>
  /** Identifies the feed of this store. Store it together with a position. */
  readonly epoch: () => Effect.Effect<string, StorageError>
}

/** The feed in promises, which reject with the tagged error itself. */
export type ChangesPromises = {
  /**
   * Every change in order, without a gap or a repeat: those after `after`, then new ones, until the
   * store is closed, you leave the loop, or the signal aborts, which throws its reason. Without
   * `after` it begins with the next change.
   *
   * Yields a {@link Resync} where changes are missing: load your data anew, and continue.
   *
   * @example
   * const types = ["pet.created", "order.completed"] as const
   * for await (const change of store.changes({ after: 0, types })) {
   *   if (change.type === "resync") console.log("load what you keep anew")
   *   else console.log(change.type, change.record.id)
   * }
   */
  <Type extends ChangeType = ChangeType>(
    options?: FollowOptions<Type>
  ): AsyncIterableIterator<Extract<Change, { readonly type: Type }> | Resync, undefined>
  /**
   * The changes after a position, oldest first; a {@link Resync} if those are no longer stored.
   * Refused: `InvalidParameter`.
   *
   * @example
   * const page = await store.changes.page({ after: 0, limit: 10 })
   */
  readonly page: (page?: ChangePage) => Promise<ReadonlyArray<Change> | Resync>
  /**
   * The stored changes of one record, newest last. Refused: `InvalidParameter`.
   *
   * @example
   * const [first] = await store.changes.history("pet", 1)
   */
  readonly history: <Kind extends RecordKind>(
    kind: Kind,
    recordId: number,
    page?: HistoryPage
  ) => Promise<ReadonlyArray<ChangeOf<Kind>>>
  /**
   * The sequence of the last change; 0 if there is none.
   *
   * @example
   * const after = await store.changes.last()
   */
  readonly last: () => Promise<number>
  /**
   * Identifies the feed of this store. Store it together with a position: in another store, or in a
   * restored backup, the position is invalid.
   *
   * @example
   * const epoch = await store.changes.epoch()
   */
  readonly epoch: () => Promise<string>
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

type ParameterResult<A> = Either.Either<A, InvalidParameter>

const whole = (
  parameter: string,
  value: number,
  least: number,
  most: number
): ParameterResult<number> =>
  Number.isInteger(value) && value >= least && value <= most
    ? Either.right(value)
    : Either.left(
        new InvalidParameter({
          parameter,
          expected: `a whole number from ${least} to ${most}`,
          got: echo(value)
        })
      )

const limitOf = (limit = DEFAULT_LIMIT): ParameterResult<number> =>
  whole("limit", limit, 1, MAX_LIMIT)

/** Validates a position in the feed. */
const placeOf = (parameter: string, place: number): ParameterResult<number> =>
  whole(parameter, place, 0, Number.MAX_SAFE_INTEGER)

/** The query selects changes of this kind only, which the types do not express. */
const isOf = <Kind extends RecordKind>(kind: Kind, change: Change): change is ChangeOf<Kind> =>
  change.type.startsWith(`${kind}.`)

export const changesEffects = ({ feed, read }: Engine): ChangesEffects => ({
  page: ({ after, limit } = {}) =>
    traced("changes.page", () =>
      Effect.flatMap(Either.all([placeOf("after", after ?? 0), limitOf(limit)]), ([place, most]) =>
        after === undefined
          ? Effect.map(
              effectOf(() => read(() => changesAfter(0, most))),
              (rows) => rows.map(presentChange)
            )
          : effectOf(() => feed.page(place, most))
      )
    ),
  history: <Kind extends RecordKind>(kind: Kind, recordId: number, page: HistoryPage = {}) =>
    traced("changes.history", () =>
      Effect.flatMap(
        Either.all([
          placeOf("before", page.before ?? Number.MAX_SAFE_INTEGER),
          limitOf(page.limit)
        ]),
        ([before, limit]) =>
          Effect.map(
            historyOf((program) => effectOf(() => read(program)), {
              kind,
              recordId,
              before,
              limit
            }),
            (rows) => rows.map(presentChange).filter((change) => isOf(kind, change))
          )
      )
    ),
  last: () => traced("changes.last", () => effectOf(feed.last)),
  epoch: () => traced("changes.epoch", () => effectOf(feed.epoch))
})

export const changesPromises = (
  engine: Engine,
  ready: () => void,
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>,
  signal?: WatchedSignal
): ChangesPromises => {
  const effects = changesEffects(engine)
  const promised = async <A, E>(effect: () => Effect.Effect<A, E>): Promise<A> => {
    ready()
    return run(effect())
  }
  return Object.assign(
    <Type extends ChangeType>(options: FollowOptions<Type> = {}) => {
      ready()
      return follow(
        engine.ownFeed,
        engine.isOpen,
        signal === undefined ? options : { signal, ...options }
      )
    },
    {
      page: (page?: ChangePage) => promised(() => effects.page(page)),
      history: <Kind extends RecordKind>(kind: Kind, recordId: number, page?: HistoryPage) =>
        promised(() => effects.history(kind, recordId, page)),
      last: () => promised(effects.last),
      epoch: () => promised(effects.epoch)
    }
  )
}
