/** The part of a sorted index that a scan or a count is about, as two bounds. */
import type { Position, Range, Value } from "@petstore/core/storage"
import { compareEntries, entryOf, type IndexEntry } from "./IndexEntry.js"

/** All entries at or after `lower` and before `upper`. Null is no bound. */
export type Interval = { readonly lower: IndexEntry | null; readonly upper: IndexEntry | null }

const EVERYTHING: Interval = { lower: null, upper: null }

export const intervalOf = (range: Range, after: Position | null, descending: boolean): Interval => {
  if (after === null && range.atLeast === null && range.below === null) return EVERYTHING
  const sort = range.index.sort
  const lower = firstWith(sort, range.atLeast)
  const upper = firstWith(sort, range.below)
  if (after === null) return { lower, upper }
  return descending
    ? { lower, upper: least(upper, entryOf(sort, after.value, after.id)) }
    : { lower: greatest(lower, entryOf(sort, after.value, after.id + 1)), upper }
}

export const isWithin = ({ lower, upper }: Interval, entry: IndexEntry): boolean =>
  (lower === null || compareEntries(entry, lower) >= 0) &&
  (upper === null || compareEntries(entry, upper) < 0)

/** All ids below this one. */
export const idsBelow = (id: number): Interval => ({ lower: null, upper: firstWith("id", id) })

/** A bound before the entry of every row with this sort value. Ids start at 1. */
const firstWith = (sort: string, value: Value): IndexEntry | null =>
  value === null ? null : entryOf(sort, value, sort === "id" ? Number(value) : 0)

const greatest = (entry: IndexEntry | null, other: IndexEntry): IndexEntry =>
  entry !== null && compareEntries(entry, other) > 0 ? entry : other
const least = (entry: IndexEntry | null, other: IndexEntry): IndexEntry =>
  entry !== null && compareEntries(entry, other) < 0 ? entry : other
