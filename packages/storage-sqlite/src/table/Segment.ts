/**
 * A scan as stretches of an index that SQLite finds by seeking. A position among equal values is a
 * stretch of its own: SQLite seeks by the first member of `(name, id) > (?, ?)` only and then walks
 * through all that share the name.
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

/** Rows of an index's prefix, narrowed by the sort column and the id; null narrows nothing. */
export type Segment = {
  /** Only this value of the sort column; undefined for any. Null is a value here. */
  readonly only: Value | undefined
  readonly atLeast: Value
  readonly above: Value
  readonly below: Value
  /** Only ids beyond this one, in the direction of the scan. */
  readonly beyondId: number | null
}

const WHOLE: Segment = { only: undefined, atLeast: null, above: null, below: null, beyondId: null }

/**
 * The segments of a range from the position on, in the order of the scan. Where nulls are apart,
 * none has rows both with and without a value of the sort column.
 */
export const segmentsOf = (
  collection: Collection<Row>,
  range: Range,
  descending: boolean,
  after: Position | null,
  nullsApart: boolean
): ReadonlyArray<Segment> => {
  if (range.index.sort === "id") return [byId(range, descending, after)]
  return descending
    ? downwards(collection, range, after, nullsApart)
    : upwards(collection, range, after, nullsApart)
}

const byId = ({ atLeast, below }: Range, descending: boolean, after: Position | null): Segment => {
  const bounds = { ...WHOLE, atLeast, below }
  if (after === null) return bounds
  if (descending)
    return below !== null && after.id >= Number(below)
      ? bounds
      : { ...bounds, below: null, beyondId: after.id }
  return atLeast !== null && after.id < Number(atLeast)
    ? bounds
    : { ...bounds, atLeast: null, beyondId: after.id }
}

const columnOf = (collection: Collection<Row>, { index }: Range): Column | undefined => {
  const columns: Readonly<Record<string, Column>> = collection.columns
  return columns[index.sort]
}

/**
 * Whether the range has rows without a value: bounds leave them out, except that one from above
 * alone does not.
 */
const hasNulls = (collection: Collection<Row>, range: Range): boolean =>
  columnOf(collection, range)?.optional === true && range.atLeast === null

/** What no value of the sort column is less than. */
const leastOf = (collection: Collection<Row>, range: Range): Value =>
  columnOf(collection, range)?.type === "text" ? "" : Number.MIN_SAFE_INTEGER

const upwards = (
  collection: Collection<Row>,
  range: Range,
  after: Position | null,
  nullsApart: boolean
): ReadonlyArray<Segment> => {
  const { atLeast, below } = range
  const values = { ...WHOLE, atLeast, below }
  if (!hasNulls(collection, range)) {
    if (after === null || after.value === null) return [values]
    if (atLeast !== null && compareValues(after.value, atLeast) < 0) return [values]
    return beyond(range, after)
  }
  // Null sorts first in SQLite too, so one statement has both where nothing narrows them.
  if (after === null && below === null && !nullsApart) return [WHOLE]
  if (after !== null && after.value !== null) return beyond(range, after)
  const nulls = { ...WHOLE, only: null, beyondId: after === null ? null : after.id }
  return [nulls, { ...values, atLeast: leastOf(collection, range) }]
}

const beyond = ({ below }: Range, { value, id }: Position): ReadonlyArray<Segment> =>
  below !== null && compareValues(value, below) >= 0
    ? []
    : [
        { ...WHOLE, only: value, beyondId: id },
        { ...WHOLE, above: value, below }
      ]

const downwards = (
  collection: Collection<Row>,
  range: Range,
  after: Position | null,
  nullsApart: boolean
): ReadonlyArray<Segment> => {
  const { atLeast, below } = range
  const withNulls = hasNulls(collection, range)
  const nulls = withNulls ? [{ ...WHOLE, only: null }] : []
  const passed =
    after !== null && (below === null || compareValues(after.value, below) < 0) ? after : null
  if (passed === null)
    return below === null && !nullsApart
      ? [{ ...WHOLE, atLeast }]
      : [{ ...WHOLE, atLeast, below }, ...nulls]
  if (passed.value === null) return nulls.map((segment) => ({ ...segment, beyondId: passed.id }))
  if (atLeast !== null && compareValues(passed.value, atLeast) < 0) return []
  return [
    { ...WHOLE, only: passed.value, beyondId: passed.id },
    { ...WHOLE, atLeast, below: passed.value },
    ...nulls
  ]
}
