/** The rows of a list, and the index that reads a page of them in time proportional to the page. */
import type { Collection, Index, Row, Value } from "../program/Collection.js"
import { BY_ID, storedIndexes, valueOf } from "../program/Collection.js"
import { compareValues } from "../program/compareValues.js"
import type { Range } from "../program/Program.js"

export type Selection = {
  /** Only these ids; null for any. */
  readonly ids: ReadonlyArray<number> | null
  /** For each of these columns, the values that match. */
  readonly among: Readonly<Record<string, ReadonlyArray<Value>>>
  /** Bounds of one column: `atLeast` inclusive, `below` exclusive, null for none. */
  readonly between: {
    readonly column: string
    readonly atLeast: Value
    readonly below: Value
  } | null
}

export const EVERYTHING: Selection = { ids: null, among: {}, between: null }

/** Every combination of one value of each list. */
const combinations = (
  lists: ReadonlyArray<ReadonlyArray<Value>>
): ReadonlyArray<ReadonlyArray<Value>> =>
  lists.reduce<ReadonlyArray<ReadonlyArray<Value>>>(
    (prefixes, values) => prefixes.flatMap((prefix) => values.map((value) => [...prefix, value])),
    [[]]
  )

/**
 * The ranges of one index that together are the selection; undefined if the index does not have
 * them in order.
 */
const rangesOf = <R extends Row>(
  collection: Collection<R>,
  index: Index,
  selection: Selection,
  sort: string
): ReadonlyArray<Range> | undefined => {
  const columns: Readonly<Record<string, { readonly values?: ReadonlyArray<Value> }>> =
    collection.columns
  if (index.sort !== sort) return undefined
  if (selection.between !== null && selection.between.column !== sort) return undefined
  if (!Object.keys(selection.among).every((column) => index.on.includes(column))) return undefined
  const lists: Array<ReadonlyArray<Value>> = []
  for (const column of index.on) {
    const values = selection.among[column] ?? columns[column]?.values
    if (values === undefined) return undefined
    lists.push(values)
  }
  const { atLeast, below } = selection.between ?? { atLeast: null, below: null }
  return combinations(lists).map((prefix) => ({ index, prefix, atLeast, below }))
}

/**
 * The fewest index ranges that together hold exactly the selected rows, each in the order of
 * `sort`. Undefined if no index has them: such a list is refused, not scanned.
 */
export const choose = <R extends Row>(
  collection: Collection<R>,
  selection: Selection,
  sort: string
): ReadonlyArray<Range> | undefined =>
  [BY_ID, ...storedIndexes(collection)]
    .map((index) => rangesOf(collection, index, selection, sort))
    .filter((ranges) => ranges !== undefined)
    .sort((left, right) => left.length - right.length)[0]

/** Whether the row is in the selection. */
export const selects = (selection: Selection, row: Row): boolean => {
  const { ids, among, between } = selection
  if (ids !== null && !ids.includes(row.id)) return false
  for (const [column, values] of Object.entries(among))
    if (!values.includes(valueOf(row, column))) return false
  if (between === null) return true
  const value = valueOf(row, between.column)
  if (value === null) return false
  return (
    (between.atLeast === null || compareValues(value, between.atLeast) >= 0) &&
    (between.below === null || compareValues(value, between.below) < 0)
  )
}

/**
 * The ranges of the rows whose columns have these values, by id. For queries of programs, each of
 * which has its index.
 */
export const rangesWhere = <R extends Row>(
  collection: Collection<R>,
  columns: Readonly<Record<string, Value>>
): ReadonlyArray<Range> => {
  const among = Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [column, [value]])
  )
  const ranges = choose(collection, { ...EVERYTHING, among }, "id")
  if (ranges === undefined)
    throw new Error(`${collection.name}: no index on ${Object.keys(columns).join(", ")}`)
  return ranges
}
