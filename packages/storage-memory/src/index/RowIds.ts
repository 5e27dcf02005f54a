/**
 * The rows under one prefix as plain ids, while they are few. Every query sorts them. Sorted
 * indexes of so few rows would take many times the memory, and cost more to write.
 */
import { valueOf } from "@petstore/core/storage"
import { compareEntries, entryOf, type IndexEntry, type RowOf } from "./IndexEntry.js"
import { type Interval, isWithin } from "./Interval.js"

/** More ids than this are kept in sorted indexes. */
export const MAX_ROW_IDS = 16

/** The id of the only row, or the ids of several, unsorted. */
export type RowIds = number | ReadonlyArray<number>

export const withId = (ids: RowIds, id: number): ReadonlyArray<number> => [...listOf(ids), id]

/** Undefined if no id is left. Throws if the id is not among them. */
export const withoutId = (ids: RowIds, id: number): RowIds | undefined => {
  const list = listOf(ids)
  const left = list.filter((each) => each !== id)
  if (left.length === list.length) throw new Error(`the index has no entry for the row ${id}`)
  return left.length > 1 ? left : left[0]
}

export const listOf = (ids: RowIds): ReadonlyArray<number> =>
  typeof ids === "number" ? [ids] : ids

/** At most `limit` ids of the interval, in the order of a column, ascending or descending. */
export const idsWithin = (
  ids: RowIds,
  sort: string,
  interval: Interval,
  descending: boolean,
  limit: number,
  rowOf: RowOf
): ReadonlyArray<number> => {
  const entries = entriesWithin(ids, sort, interval, rowOf).sort(compareEntries)
  if (descending) entries.reverse()
  return entries.slice(0, limit).map(({ id }) => id)
}

export const countWithin = (ids: RowIds, sort: string, interval: Interval, rowOf: RowOf): number =>
  entriesWithin(ids, sort, interval, rowOf).length

const entriesWithin = (
  ids: RowIds,
  sort: string,
  interval: Interval,
  rowOf: RowOf
): Array<IndexEntry> =>
  listOf(ids)
    .map((id) => entryOf(sort, valueOf(rowOf(id), sort), id))
    .filter((entry) => isWithin(interval, entry))
