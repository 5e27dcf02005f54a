/** Rows and ranges of few different values, so that ties, moves and empty ranges all happen. */
import {
  BY_ID,
  type Collection,
  type Column,
  type Image,
  type Range,
  type Row,
  type Scan,
  type Value
} from "@petstore/core/storage"
import { FastCheck as fc } from "effect"

const texts = ["", "A", "Ab", "a", "é", "z", "\uffff", "\ud83d\udc36", "\ud83d\udc36x", "\ue000"]

const value = (collection: Collection<Row>, column: string): fc.Arbitrary<Value> => {
  const columns: { readonly [name: string]: Column } = collection.columns
  const described = columns[column]
  if (described === undefined) return fc.integer({ min: 0, max: 40 })
  const some: fc.Arbitrary<Value> =
    described.values !== undefined
      ? fc.constantFrom(...described.values)
      : described.type === "text"
        ? fc.constantFrom(...texts)
        : fc.constantFrom(0, 1, 2, 3, 2 ** 31, Number.MAX_SAFE_INTEGER)
  return described.optional === true ? fc.oneof(some, fc.constant(null)) : some
}

const images: ReadonlyArray<Image | null> = [null, { id: 1, revision: 2, name: "Rex" }]

/** A value of a column, or a whole row for a column of images. */
const member = (collection: Collection<Row>, column: string): fc.Arbitrary<Value | Image> => {
  const columns: { readonly [name: string]: Column } = collection.columns
  return columns[column]?.type === "image" ? fc.constantFrom(...images) : value(collection, column)
}

export const rowOf = (collection: Collection<Row>): fc.Arbitrary<Row> =>
  fc
    .record(
      Object.fromEntries(
        Object.keys(collection.columns).map((column) => [column, member(collection, column)])
      )
    )
    .map((columns) => Object.assign({ id: 0, revision: 1 }, columns))

export const rangeOf = (collection: Collection<Row>): fc.Arbitrary<Range> =>
  fc.constantFrom(BY_ID, ...collection.indexes).chain((index) => {
    const bound = fc.oneof(fc.constant(null), value(collection, index.sort))
    const prefix: fc.Arbitrary<Array<Value>> = fc.tuple(
      ...index.on.map((column) => value(collection, column))
    )
    return fc.record({ index: fc.constant(index), prefix, atLeast: bound, below: bound })
  })

export const scanOf = (collection: Collection<Row>): fc.Arbitrary<Scan> =>
  rangeOf(collection).chain((range) =>
    fc
      .record({
        descending: fc.boolean(),
        limit: fc.integer({ min: 1, max: 20 }),
        id: fc.integer({ min: 1, max: 40 }),
        value: value(collection, range.index.sort),
        positioned: fc.boolean()
      })
      .map(({ descending, limit, id, value, positioned }) => ({
        op: "scan",
        collection,
        range,
        descending,
        after: positioned ? { value: range.index.sort === "id" ? id : value, id } : null,
        limit
      }))
  )
