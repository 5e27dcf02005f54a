/** What part of an ordered list a scan or a count is about, as two edges. */
import type { Position, Range, Value } from "@petstore/core"
import { compareEntries, sortKey } from "./SortKey.js"

/** The place before the first entry that is at or above (key, id). In lists that are sorted by id all keys are null. */
export type Edge = { readonly key: Value; readonly id: number }

/** All entries at or above `lower` and below `upper`; null is no bound. */
export type Interval = { readonly lower: Edge | null; readonly upper: Edge | null }

const EVERYTHING: Interval = { lower: null, upper: null }

export const intervalOf = (range: Range, after: Position | null, descending: boolean): Interval => {
  if (after === null && range.atLeast === null && range.below === null) return EVERYTHING
  const byId = range.index.sort === "id"
  const lower = boundary(range.atLeast, byId)
  const upper = boundary(range.below, byId)
  if (after === null) return { lower, upper }
  const key = byId ? null : sortKey(after.value)
  return descending
    ? { lower, upper: least(upper, { key, id: after.id }) }
    : { lower: greatest(lower, { key, id: after.id + 1 }), upper }
}

/** Before the first entry with this sort value; ids start at 1. */
const boundary = (value: Value, byId: boolean): Edge | null => {
  if (value === null) return null
  return byId ? { key: null, id: Number(value) } : { key: sortKey(value), id: 0 }
}

const isAbove = (edge: Edge, other: Edge): boolean =>
  compareEntries(edge.key, edge.id, other.key, other.id) > 0
const greatest = (edge: Edge | null, other: Edge): Edge =>
  edge !== null && isAbove(edge, other) ? edge : other
const least = (edge: Edge | null, other: Edge): Edge => (edge !== null && isAbove(other, edge) ? edge : other)
