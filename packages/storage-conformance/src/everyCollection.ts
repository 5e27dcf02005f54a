/** Every collection of the store, from its declaration: a new record type is checked as well. */
import {
  BY_ID,
  type Collection,
  COLLECTIONS,
  type Column,
  compareValues,
  feedEpochs,
  fold,
  type Index,
  insert,
  type NewRow,
  remove,
  replace,
  type Row,
  type Value,
  valueOf
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { rangeOf, read, rowsOf, write } from "./programs.js"

/** The rows with these ids stay, and rows of other collections refer to them. */
const KEPT = 3

/** The row with this id is removed. */
const REMOVED = KEPT + 1

/** Differs for each number, as far as the column has values enough. */
const sampleOf = (name: string, column: Column, number: number): Value => {
  if (column.type === "image" || (column.optional === true && number === 1)) return null
  if (column.references !== undefined) return (number % KEPT) + 1
  if (column.values !== undefined) return column.values[number % column.values.length] ?? null
  return column.type === "text" ? `${name} ${number} É` : number
}

type Fields = Omit<Row, "id" | "revision"> & { readonly id?: number }

const fieldsOf = ({ columns }: Collection<Row>, number: number): Fields => {
  const named = Object.entries<Column>(columns)
  const fields: Record<string, Value> = {}
  for (const [name, column] of named) fields[name] = sampleOf(name, column, number)
  for (const [name, { folds }] of named)
    if (folds !== undefined) fields[name] = fold(String(fields[folds]))
  return fields
}

const isIn = (prefix: ReadonlyArray<Value>, { on }: Index, row: NewRow): boolean =>
  on.every((column, at) => valueOf(row, column) === prefix[at])

const sorted = (rows: ReadonlyArray<Row>, { sort }: Index): ReadonlyArray<Row> =>
  rows.toSorted(
    (left, right) =>
      compareValues(valueOf(left, sort), valueOf(right, sort)) || compareValues(left.id, right.id)
  )

/** Fails unless every index has exactly these rows, in its order. */
const expectRows = (collection: Collection<Row>, rows: ReadonlyArray<Row>) =>
  Effect.gen(function* () {
    for (const index of [BY_ID, ...collection.indexes]) {
      for (const row of rows) {
        const prefix = index.on.map((column) => valueOf(row, column))
        const found = yield* read(() => rowsOf(collection, rangeOf(index, prefix)))
        const expected = rows.filter((each) => isIn(prefix, index, each))
        const what = `${collection.name} in ${index.name} under ${JSON.stringify(prefix)}`
        yield* expectSame(what, found, sorted(expected, index))
      }
    }
  })

/**
 * Each collection after those that it refers to, without the one of the feed's epoch, whose only
 * row a store may have made already.
 */
const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS.filter(
  ({ name }) => name !== feedEpochs.name
)

export const everyCollection: ReadonlyArray<Claim> = [
  {
    claim:
      "rows of every collection of the store are stored, found in each of its indexes, replaced " +
      "and removed",
    check: Effect.gen(function* () {
      const stored = new Map<string, ReadonlyArray<Row>>()
      for (const collection of collections) {
        const rows = yield* write(function* () {
          const inserted: Array<Row> = []
          for (let id = 1; id <= REMOVED; id++) {
            const given = collection.key === "given" ? { id } : {}
            inserted.push(yield* insert(collection, { ...fieldsOf(collection, id), ...given }))
          }
          const [first, ...others] = inserted
          if (first === undefined) return inserted
          return [yield* replace(collection, first, fieldsOf(collection, REMOVED + 1)), ...others]
        })
        yield* expectSame(
          `${collection.name} as stored`,
          rows,
          rows.map((_, at) => ({
            ...fieldsOf(collection, at === 0 ? REMOVED + 1 : at + 1),
            id: at + 1,
            revision: at === 0 ? 2 : 1
          }))
        )
        yield* expectRows(collection, rows)
        stored.set(collection.name, rows)
      }
      for (const collection of collections.toReversed()) {
        const rows = stored.get(collection.name) ?? []
        yield* write(function* () {
          for (const row of rows.slice(KEPT)) yield* remove(collection, row)
        })
        yield* expectRows(collection, rows.slice(0, KEPT))
      }
    })
  }
]
