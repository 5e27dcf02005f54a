/**
 * Keyset pagination over the scans of storages: merges several ranges, in either direction, with
 * ties in either direction.
 */
import type { Collection, Row, Value } from "../program/Collection.js"
import type { Position, Range, ReadProgram } from "../program/Program.js"
import { count, get, scan } from "../program/requests.js"
import { comparePlaces, type SortOrder, placeOf } from "./SortOrder.js"
import { type Selection, selects } from "./Selection.js"

/**
 * The least value above `value`, for bounds. Texts compare by code point, so the next text is the
 * same one with U+0000 appended.
 */
const nextAbove = (value: Value): Value =>
  value === null
    ? Number.MIN_SAFE_INTEGER
    : typeof value === "string"
      ? `${value}\u0000`
      : Number(value) + 1

const only = (range: Range, value: Value): Range => ({
  ...range,
  atLeast: value,
  below: nextAbove(value)
})

/**
 * Reads a range whose values are in one direction and whose ids, among equal values, in the other.
 * Groups of equal values are reversed in memory. The groups at both edges of the page are read from
 * the index in the other direction, so a value that many rows share costs no more than the page.
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
      ...(yield* scan(collection, only(range, after.value), {
        limit,
        after,
        descending: order.idDescending
      }))
    )
    rest = order.descending
      ? { ...range, below: after.value }
      : { ...range, atLeast: nextAbove(after.value) }
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
    ...whole.toSorted((left, right) =>
      comparePlaces(order, placeOf(order, left), placeOf(order, right))
    )
  )
  const last = yield* scan(collection, only(range, edgeValue), {
    limit: limit - rows.length,
    descending: order.idDescending
  })
  return [...rows, ...last]
}

/** The first `limit` rows of all ranges, all after `after`. */
export function* pageOf<R extends Row>(
  collection: Collection<R>,
  ranges: ReadonlyArray<Range>,
  order: SortOrder,
  after: Position | null,
  limit: number
): ReadProgram<ReadonlyArray<R>> {
  const straight = order.column === "id" || order.descending === order.idDescending
  const lists: Array<ReadonlyArray<R>> = []
  for (const range of ranges) {
    lists.push(
      straight
        ? yield* scan(collection, range, { limit, after, descending: order.descending })
        : yield* scanCrossed(collection, range, order, after, limit)
    )
  }
  const [first] = lists
  if (lists.length === 1 && first !== undefined) return first
  return lists
    .flat()
    .sort((left, right) => comparePlaces(order, placeOf(order, left), placeOf(order, right)))
    .slice(0, limit)
}

/** The same for a list of ids: one read for each. */
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
  return rows.sort((left, right) =>
    comparePlaces(order, placeOf(order, left), placeOf(order, right))
  )
}

/** The number of rows of all ranges. */
export function* countOf<R extends Row>(
  collection: Collection<R>,
  ranges: ReadonlyArray<Range>
): ReadProgram<number> {
  let total = 0
  for (const range of ranges) total += yield* count(collection, range)
  return total
}

/** Whether there is a row in any range. */
export function* anyOf<R extends Row>(
  collection: Collection<R>,
  ranges: ReadonlyArray<Range>
): ReadProgram<boolean> {
  for (const range of ranges)
    if ((yield* scan(collection, range, { limit: 1 })).length > 0) return true
  return false
}
