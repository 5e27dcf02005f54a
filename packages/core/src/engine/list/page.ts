/**
 * Keyset pages over the scans that every storage has: merged over several ranges, in either
 * direction, ties in either direction.
 */
import type { Collection, Row, Value } from "../program/Collection.js"
import type { Position, Range, ReadProgram } from "../program/Program.js"
import { count, get, scan } from "../program/requests.js"
import { comparePlaces, type SortOrder, placeOf } from "./SortOrder.js"
import { type Selection, selects } from "./Selection.js"

/**
 * The least value above `value`, for bounds; texts compare by code point, so U+0000 appended is the
 * next text.
 */
const nextAbove = (value: Value): Value =>
  value === null ? Number.MIN_SAFE_INTEGER : typeof value === "string" ? `${value}\u0000` : Number(value) + 1

const only = (range: Range, value: Value): Range => ({
  ...range,
  atLeast: value,
  below: nextAbove(value)
})

/**
 * A range whose values go one way and whose ids, among equal values, go the other way. Whole groups
 * of equal values are turned round in memory; the group at either edge of the page is read the
 * other way from the index, so that a value which a million rows share costs no more than the page.
 */
function* scanCrossed<R extends Row>(
  collection: Collection<R>,
  range: Range,
  order: SortOrder,
  after: Position | null,
  limit: number
): ReadProgram<ReadonlyArray<R>> {
  const rows: Array<R> = []
  let rest = range
  if (after !== null) {
    rows.push(
      ...(yield* scan(collection, only(range, after.value), { limit, after, descending: order.idDescending }))
    )
    rest = order.descending ? { ...range, below: after.value } : { ...range, atLeast: nextAbove(after.value) }
    if (order.descending && after.value === null) return rows
  }
  if (rows.length >= limit) return rows
  const wanted = limit - rows.length
  const ahead = yield* scan(collection, rest, { limit: wanted, descending: order.descending })
  const edge = ahead.at(-1)
  if (edge === undefined) return rows
  const edgeValue = placeOf(order, edge).value
  const whole = ahead.filter((row) => placeOf(order, row).value !== edgeValue)
  rows.push(
    ...whole.toSorted((left, right) => comparePlaces(order, placeOf(order, left), placeOf(order, right)))
  )
  const last = yield* scan(collection, only(range, edgeValue), {
    limit: limit - rows.length,
    descending: order.idDescending
  })
  return [...rows, ...last]
}

/** The first `limit` rows of the ranges together, strictly after `after`. */
export function* pageOf<R extends Row>(
  collection: Collection<R>,
  ranges: ReadonlyArray<Range>,
  order: SortOrder,
  after: Position | null,
  limit: number
): ReadProgram<ReadonlyArray<R>> {
  const straight = order.column === "id" || order.descending === order.idDescending
  const found: Array<ReadonlyArray<R>> = []
  for (const range of ranges) {
    found.push(
      straight
        ? yield* scan(collection, range, { limit, after, descending: order.descending })
        : yield* scanCrossed(collection, range, order, after, limit)
    )
  }
  const [first] = found
  if (found.length === 1 && first !== undefined) return first
  return found
    .flat()
    .sort((left, right) => comparePlaces(order, placeOf(order, left), placeOf(order, right)))
    .slice(0, limit)
}

/** The same for rows named by id: as many reads as ids. */
export function* pageOfIds<R extends Row>(
  collection: Collection<R>,
  selection: Selection,
  order: SortOrder
): ReadProgram<ReadonlyArray<R>> {
  const rows: Array<R> = []
  for (const id of new Set(selection.ids)) {
    const row = yield* get(collection, id)
    if (row !== undefined && selects(selection, row)) rows.push(row)
  }
  return rows.sort((left, right) => comparePlaces(order, placeOf(order, left), placeOf(order, right)))
}

/** How many rows the ranges have together. */
export function* countOf<R extends Row>(
  collection: Collection<R>,
  ranges: ReadonlyArray<Range>
): ReadProgram<number> {
  let total = 0
  for (const range of ranges) total += yield* count(collection, range)
  return total
}

/** Whether the ranges have any row. */
export function* anyOf<R extends Row>(
  collection: Collection<R>,
  ranges: ReadonlyArray<Range>
): ReadProgram<boolean> {
  for (const range of ranges) if ((yield* scan(collection, range, { limit: 1 })).length > 0) return true
  return false
}
