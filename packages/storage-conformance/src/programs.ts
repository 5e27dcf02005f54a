/** Running programs on whichever backend is being checked, and reading much of it at once. */
import {
  type Collection,
  EVERY_ROW,
  type Index,
  type Program,
  type Range,
  type ReadProgram,
  type Row,
  scan,
  Storage,
  type StorageError,
  type Value
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"

export const read = <A, E = never>(
  program: () => ReadProgram<A, E>
): Effect.Effect<A, E | StorageError, Storage> =>
  Effect.flatMap(Storage, (storage) => storage.read(program))

export const write = <A, E = never>(
  program: () => Program<A, E>
): Effect.Effect<A, E | StorageError, Storage> =>
  Effect.flatMap(Storage, (storage) => storage.write(program))

export const indexOf = <R extends Row>(collection: Collection<R>, name: string): Index => {
  const found = collection.indexes.find((index) => index.name === name)
  if (found === undefined) throw new Error(`${collection.name} has no index ${name}`)
  return found
}

export type Bounds = { readonly atLeast?: Value; readonly below?: Value }

export const rangeOf = (
  index: Index,
  prefix: ReadonlyArray<Value> = [],
  bounds: Bounds = {}
): Range => ({
  index,
  prefix,
  atLeast: bounds.atLeast ?? null,
  below: bounds.below ?? null
})

export { EVERY_ROW }
export const MANY = 10_000

/** All rows of a range. */
export const rowsOf = <R extends Row>(
  collection: Collection<R>,
  range: Range
): ReadProgram<ReadonlyArray<R>> => scan(collection, range, { limit: MANY })

/** The ids of a range, in its order. */
export function* idsOf<R extends Row>(
  collection: Collection<R>,
  range: Range,
  descending = false
): ReadProgram<ReadonlyArray<number>> {
  const rows = yield* scan(collection, range, { limit: MANY, descending })
  return rows.map((row) => row.id)
}

/** Runs so many at once, each begun before any has ended. */
export const atOnce = <A, E, R>(
  times: number,
  effect: (number: number) => Effect.Effect<A, E, R>
) =>
  Effect.forEach(
    Array.from({ length: times }, (_, number) => number),
    (number) => Effect.yieldNow().pipe(Effect.zipRight(effect(number))),
    { concurrency: "unbounded" }
  )
