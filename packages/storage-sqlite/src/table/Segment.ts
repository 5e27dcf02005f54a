/**
 * Splits a scan into segments: contiguous ranges of an index that SQLite finds by seeking. The rows
 * after a position that have the same value are a separate segment. For `(name, id) > (?, ?)`
 * SQLite seeks by the name only, and then reads all rows that share it.
 */
import {
  type Collection,
  type Column,
  compareValues,
  type Position,
  type Range,
  type Row,
  type Value
} from "@petstore/core/storage"

/** Bounds on the sort column and the id within a prefix of an index; null is no bound. */
export type Segment = {
  /** The one value of the sort column, which may be null; undefined for any value. */
  readonly equals: Value | undefined
  readonly atLeast: Value
  readonly above: Value
  readonly below: Value
  /** Only ids after this one, in the direction of the scan. */
  readonly afterId: number | null
}

const UNBOUNDED: Segment = {
  equals: undefined,
  atLeast: null,
  above: null,
  below: null,
  afterId: null
}

/**
 * The segments of a range after the position, in the order of the scan. If nulls are separate, no
 * segment has rows both with and without a value in the sort column.
 */
export const segmentsOf = (
  collection: Collection<Row>,
  range: Range,
  descending: boolean,
  after: Position | null,
  separatesNulls: boolean
): ReadonlyArray<Segment> => {
  if (range.index.sort === "id") return [byId(range, descending, after)]
  return descending
    ? descendingSegments(collection, range, after, separatesNulls)
    : ascendingSegments(collection, range, after, separatesNulls)
}

const byId = ({ atLeast, below }: Range, descending: boolean, after: Position | null): Segment => {
  const bounds = { ...UNBOUNDED, atLeast, below }
  if (after === null) return bounds
  if (descending)
    return below !== null && after.id >= Number(below)
      ? bounds
      : { ...bounds, below: null, afterId: after.id }
  return atLeast !== null && after.id < Number(atLeast)
    ? bounds
    : { ...bounds, atLeast: null, afterId: after.id }
}

const columnOf = (collection: Collection<Row>, { index }: Range): Column | undefined => {
  const columns: Readonly<Record<string, Column>> = collection.columns
  return columns[index.sort]
}

/**
 * Whether the range may have rows without a value. Null sorts first, so a lower bound excludes them
 * and an upper bound alone does not.
 */
const hasNulls = (collection: Collection<Row>, range: Range): boolean =>
  columnOf(collection, range)?.optional === true && range.atLeast === null

/** A lower bound of all values of the sort column. */
const minimumOf = (collection: Collection<Row>, range: Range): Value =>
  columnOf(collection, range)?.type === "text" ? "" : Number.MIN_SAFE_INTEGER

const ascendingSegments = (
  collection: Collection<Row>,
  range: Range,
  after: Position | null,
  separatesNulls: boolean
): ReadonlyArray<Segment> => {
  const { atLeast, below } = range
  const values = { ...UNBOUNDED, atLeast, below }
  if (!hasNulls(collection, range)) {
    if (after === null || after.value === null) return [values]
    if (atLeast !== null && compareValues(after.value, atLeast) < 0) return [values]
    return segmentsAfter(range, after)
  }
  // Null sorts first in SQLite too, so one statement reads both if there are no bounds.
  if (after === null && below === null && !separatesNulls) return [UNBOUNDED]
  if (after !== null && after.value !== null) return segmentsAfter(range, after)
  const nulls: Segment = {
    ...UNBOUNDED,
    equals: null,
    afterId: after === null ? null : after.id
  }
  return [nulls, { ...values, atLeast: minimumOf(collection, range) }]
}

const segmentsAfter = ({ below }: Range, { value, id }: Position): ReadonlyArray<Segment> =>
  below !== null && compareValues(value, below) >= 0
    ? []
    : [
        { ...UNBOUNDED, equals: value, afterId: id },
        { ...UNBOUNDED, above: value, below }
      ]

const descendingSegments = (
  collection: Collection<Row>,
  range: Range,
  after: Position | null,
  separatesNulls: boolean
): ReadonlyArray<Segment> => {
  const { atLeast, below } = range
  const includesNulls = hasNulls(collection, range)
  const nulls: ReadonlyArray<Segment> = includesNulls ? [{ ...UNBOUNDED, equals: null }] : []
  const position =
    after !== null && (below === null || compareValues(after.value, below) < 0) ? after : null
  if (position === null)
    return below === null && !separatesNulls
      ? [{ ...UNBOUNDED, atLeast }]
      : [{ ...UNBOUNDED, atLeast, below }, ...nulls]
  if (position.value === null)
    return nulls.map((segment): Segment => ({ ...segment, afterId: position.id }))
  if (atLeast !== null && compareValues(position.value, atLeast) < 0) return []
  return [
    { ...UNBOUNDED, equals: position.value, afterId: position.id },
    { ...UNBOUNDED, atLeast, below: position.value },
    ...nulls
  ]
}
