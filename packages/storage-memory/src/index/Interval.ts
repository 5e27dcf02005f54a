/** What part of an ordered list a scan or a count is about, as two edges. */
import type { Position, Range, Value } from "@petstore/core"
import { compareEntries, type Entry, entryOf } from "./Entry.js"

/** All entries at or above `lower` and below `upper`; null is no bound. */
export type Interval = { readonly lower: Entry | null; readonly upper: Entry | null }

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

export const isWithin = ({ lower, upper }: Interval, entry: Entry): boolean =>
  (lower === null || compareEntries(entry, lower) >= 0) &&
  (upper === null || compareEntries(entry, upper) < 0)

/** All ids below one. */
export const idsBelow = (id: number): Interval => ({ lower: null, upper: firstWith("id", id) })

/** Before every entry that a row with this sort value could have: ids start at 1. */
const firstWith = (sort: string, value: Value): Entry | null =>
  value === null ? null : entryOf(sort, value, sort === "id" ? Number(value) : 0)

const greatest = (entry: Entry | null, other: Entry): Entry =>
  entry !== null && compareEntries(entry, other) > 0 ? entry : other
const least = (entry: Entry | null, other: Entry): Entry =>
  entry !== null && compareEntries(entry, other) < 0 ? entry : other
