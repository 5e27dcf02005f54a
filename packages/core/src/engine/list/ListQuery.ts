/** The query of a list: validated once, and planned as a selection, an order, and index ranges. */
import * as Either from "effect/Either"
import type { Collection, Column, Row, Value } from "../program/Collection.js"
import type { Position, Range, ReadProgram } from "../program/Program.js"
import { echo } from "../../value/echo.js"
import { InvalidParameter } from "../../value/errors.js"
import { checkIndexes } from "./checkIndexes.js"
import { cursorOf, positionOf } from "./Cursor.js"
import type { Filter } from "./Filter.js"
import { comparePlaces, type SortOrder, parseSortOrder, placeOf, type Sorts } from "./SortOrder.js"
import { countOf, pageOf, pageOfIds } from "./page.js"
import { choose, EVERYTHING, type Selection } from "./Selection.js"

/** The default page size. */
export const DEFAULT_LIMIT = 50

/** The maximum page size. */
export const MAX_LIMIT = 100

/** The parameters of every list besides its filters. */
export type Paging<Sort extends string> = {
  /**
   * The order: `name`, `-name` for descending, `name,-id` for ties by descending id. By default,
   * ties are ordered by ascending id.
   */
  readonly sort?: Sort | `-${Sort}` | (string & {})
  /** The page size: 1 to 100, 50 by default. */
  readonly limit?: number
  /** Where the page starts: `next` of the previous page, with the same filters and sort. */
  readonly cursor?: string
  /** Whether to count all rows of the list, over all pages. */
  readonly total?: boolean
}

/** One page of a list. */
export type Page<A> = {
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; absent on the last. */
  readonly next?: string
  /** The number of rows over all pages, if the query asks for it. */
  readonly total?: number
}

/** The lists of one collection: its filters and sort columns. */
export type Listing<R extends Row> = {
  readonly collection: Collection<R>
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: Sorts
}

/** A validated query. */
export type ListPlan = {
  readonly selection: Selection
  readonly order: SortOrder
  readonly ranges: ReadonlyArray<Range>
  /** A canonical form: equal for equal queries. */
  readonly fingerprint: string
  readonly after: Position | null
  readonly limit: number
  readonly total: boolean
}

const invalid = (parameter: string, expected: string, got: unknown) =>
  new InvalidParameter({ parameter, expected, got: echo(got) })

const PAGING = ["sort", "limit", "cursor", "total"]

/**
 * Validates a query and chooses its indexes. Throws for a listing whose sorts and filters have no
 * index. A query fails for a parameter that is unknown, malformed, or not answered by an index,
 * with an error that names it.
 */
export const planList = <R extends Row>(listing: Listing<R>) => {
  checkIndexes(listing.collection, listing.filters, listing.sorts)
  return (query: Readonly<Record<string, unknown>>): Either.Either<ListPlan, InvalidParameter> =>
    Either.gen(function* () {
      const { limit = DEFAULT_LIMIT, cursor, total = false, sort } = query
      let selection = EVERYTHING
      const fingerprint: Array<unknown> = [listing.collection.name]
      for (const [name, value] of Object.entries(query)) {
        if (value === undefined || PAGING.includes(name)) continue
        const filter = Object.hasOwn(listing.filters, name) ? listing.filters[name] : undefined
        if (filter === undefined) {
          return yield* Either.left(
            invalid(
              name,
              `one of ${[...Object.keys(listing.filters), ...PAGING].join(", ")}`,
              value
            )
          )
        }
        selection = yield* filter.narrow(selection, name, value)
      }
      for (const name of Object.keys(listing.filters).sort()) fingerprint.push(query[name] ?? null)
      if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
        return yield* Either.left(invalid("limit", `a whole number from 1 to ${MAX_LIMIT}`, limit))
      }
      if (typeof total !== "boolean")
        return yield* Either.left(invalid("total", "true or false", total))
      if (sort !== undefined && typeof sort !== "string")
        return yield* Either.left(invalid("sort", "a text", sort))

      const order = yield* orderOf(listing, selection, sort)
      const ranges = choose(listing.collection, selection, order.column)
      if (ranges === undefined && selection.ids === null) {
        const ranged = sortOf(listing, selection.between?.column)
        const allowed = ranged === undefined ? "" : `${ranged}, -${ranged} or `
        return yield* Either.left(
          invalid(
            "sort",
            `${allowed}no sort with these filters, since no index has them in another order`,
            sort
          )
        )
      }
      fingerprint.push(order)
      const text = JSON.stringify(fingerprint)
      return {
        selection,
        order,
        ranges: ranges ?? [],
        fingerprint: text,
        after: cursor === undefined ? null : yield* resume(listing.collection, order, text, cursor),
        limit,
        total
      }
    })
}

/** The default order: by the column of the range filter, if there is one; otherwise by id. */
const orderOf = <R extends Row>(
  listing: Listing<R>,
  selection: Selection,
  sort: string | undefined
): Either.Either<SortOrder, InvalidParameter> => {
  const column = selection.ids === null ? selection.between?.column : undefined
  if (sort === undefined)
    return Either.right({ column: column ?? "id", descending: false, idDescending: false })
  return Either.map(parseSortOrder(listing.sorts, sort), (order) =>
    column !== undefined && order.column === foldedBy(listing.collection, column)
      ? { ...order, column }
      : order
  )
}

/** The column whose text this one holds folded. */
const foldedBy = <R extends Row>(collection: Collection<R>, column: string): string | undefined => {
  const columns: Readonly<Record<string, Column>> = collection.columns
  return columns[column]?.folds
}

/** The name that sorts by the column, or by the one that it folds. */
const sortOf = <R extends Row>(
  { collection, sorts }: Listing<R>,
  column: string | undefined
): string | undefined => {
  const folded = column === undefined ? undefined : foldedBy(collection, column)
  return Object.keys(sorts).find((name) => sorts[name] === column || sorts[name] === folded)
}

const resume = <R extends Row>(
  collection: Collection<R>,
  order: SortOrder,
  text: string,
  cursor: unknown
) =>
  Either.gen(function* () {
    if (typeof cursor !== "string") return yield* Either.left(invalid("cursor", "a text", cursor))
    const position = yield* positionOf(text, cursor)
    const columns: Readonly<Record<string, Column>> = collection.columns
    return fits(position.value, columns[order.column])
      ? position
      : yield* Either.left(
          invalid("cursor", "a cursor from the Link header of an earlier page", cursor)
        )
  })

/** Whether a row's column could have this value; without a description the column is the id. */
const fits = (value: Value, column: Column | undefined): boolean => {
  if (value === null) return column?.optional === true
  return column?.type === "text"
    ? typeof value === "string" && value.isWellFormed()
    : typeof value === "number"
}

/** Reads one page. */
export function* runList<R extends Row>(listing: Listing<R>, plan: ListPlan): ReadProgram<Page<R>> {
  const { collection } = listing
  const { selection, order, ranges, after, limit } = plan
  const whole = selection.ids === null ? null : yield* pageOfIds(collection, selection, order)
  const rows =
    whole === null
      ? yield* pageOf(collection, ranges, order, after, limit + 1)
      : whole.filter((row) => after === null || isAfter(order, row, after)).slice(0, limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    ...(rows.length > limit && last !== undefined
      ? { next: cursorOf(plan.fingerprint, placeOf(order, last)) }
      : {}),
    ...(plan.total ? { total: whole?.length ?? (yield* countOf(collection, ranges)) } : {})
  }
}

const isAfter = (order: SortOrder, row: Row, after: Position): boolean =>
  comparePlaces(order, placeOf(order, row), after) > 0
