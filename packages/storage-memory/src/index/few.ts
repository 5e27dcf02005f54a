/** So few ids that whoever asks puts them in order: lists of so few would weigh many times as much, and cost more to write. */
import { valueOf } from "@petstore/core"
import { compareEntries, type Entry, entryOf, type RowOf } from "./Entry.js"
import { type Interval, isWithin } from "./Interval.js"

/** More than so many are kept in lists. */
export const FEW = 16

/** The rows that an index has under one combination of values: the id of the only one, or the ids of a few, in no order. */
export type Few = number | ReadonlyArray<number>

export const withId = (few: Few, id: number): ReadonlyArray<number> => [...idsOf(few), id]

/** Undefined where none is left. Throws where the id is not among them. */
export const withoutId = (few: Few, id: number): Few | undefined => {
  const ids = idsOf(few)
  const left = ids.filter((each) => each !== id)
  if (left.length === ids.length) throw new Error(`the index has no entry for the row ${id}`)
  return left.length > 1 ? left : left[0]
}

export const idsOf = (few: Few): ReadonlyArray<number> => (typeof few === "number" ? [few] : few)

/** At most `limit` of those that are in the interval, in the order of a column or the other way round. */
export const idsWithin = (
  few: Few,
  sort: string,
  interval: Interval,
  descending: boolean,
  limit: number,
  rowOf: RowOf
): ReadonlyArray<number> => {
  const entries = entriesWithin(few, sort, interval, rowOf).sort(compareEntries)
  if (descending) entries.reverse()
  return entries.slice(0, limit).map(({ id }) => id)
}

export const countWithin = (few: Few, sort: string, interval: Interval, rowOf: RowOf): number =>
  entriesWithin(few, sort, interval, rowOf).length

const entriesWithin = (few: Few, sort: string, interval: Interval, rowOf: RowOf): Array<Entry> =>
  idsOf(few)
    .map((id) => entryOf(sort, valueOf(rowOf(id), sort), id))
    .filter((entry) => isWithin(interval, entry))
