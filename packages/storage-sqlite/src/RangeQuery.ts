/** The SQL of a range: an index's columns by equality, its sort column by bounds, and a position to go on from. */
import type { Collection, Index, Position, Range, Row, Scan } from "@petstore/core"
import { sqlName } from "./names.js"
import type { Bound, RowCodec } from "./RowCodec.js"

/** A stretch of a range in which the sort column is null throughout, or nowhere. Null sorts first. */
export type Stretch = "null" | "value"

export type Query = { readonly sql: string; readonly bound: ReadonlyArray<Bound> }

/** Where the rows of one range are: conditions and what they are bound to. */
type Where = { readonly conditions: Array<string>; readonly bound: Array<Bound> }

const isOptional = (collection: Collection<Row>, column: string): boolean =>
  collection.columns[column]?.optional === true

const whereRange = (collection: Collection<Row>, codec: RowCodec, range: Range): Where => {
  const where: Where = { conditions: [], bound: [] }
  const sort = sqlName(range.index.sort)
  for (const [at, column] of range.index.on.entries()) {
    where.conditions.push(`${sqlName(column)} ${isOptional(collection, column) ? "IS" : "="} ?`)
    where.bound.push(codec.bind(column, range.prefix[at] ?? null))
  }
  if (range.atLeast !== null) {
    where.conditions.push(`${sort} >= ?`)
    where.bound.push(codec.bind(range.index.sort, range.atLeast))
  }
  if (range.below !== null) {
    where.conditions.push(`${sort} < ?`)
    where.bound.push(codec.bind(range.index.sort, range.below))
  }
  return where
}

const asSql = ({ conditions }: Where): string => (conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`)

/** `< ?` is never true of null, so a range bounded only above has its nulls added. */
const mayBeNull = (collection: Collection<Row>, { index, atLeast }: Range): boolean =>
  isOptional(collection, index.sort) && atLeast === null

export const countQuery = (collection: Collection<Row>, codec: RowCodec, range: Range): ReadonlyArray<Query> => {
  const where = whereRange(collection, codec, range)
  const table = `SELECT count(*) FROM ${sqlName(collection.name)}`
  const all = { sql: table + asSql(where), bound: where.bound }
  if (range.below === null || !mayBeNull(collection, range)) return [all]
  const nulls = nullsOf(collection, codec, range)
  return [all, { sql: table + asSql(nulls), bound: nulls.bound }]
}

const nullsOf = (collection: Collection<Row>, codec: RowCodec, range: Range): Where => {
  const where = whereRange(collection, codec, { ...range, below: null })
  where.conditions.push(`${sqlName(range.index.sort)} IS NULL`)
  return where
}

/** The stretches of a scan, in its order: one where the sort column is never null, else the nulls on their side. */
export const stretches = (collection: Collection<Row>, { range, descending, after }: Scan): ReadonlyArray<Stretch> => {
  if (!mayBeNull(collection, range)) return after !== null && after.value === null && descending ? [] : ["value"]
  if (descending) return after !== null && after.value === null ? ["null"] : ["value", "null"]
  return after !== null && after.value !== null ? ["value"] : ["null", "value"]
}

/** One stretch of a scan; `limit` rows are the last thing bound. */
export const scanQuery = (collection: Collection<Row>, codec: RowCodec, scan: Scan, stretch: Stretch): Query => {
  const { range, descending, after } = scan
  const { sort } = range.index
  const nulls = stretch === "null"
  const where = nulls ? nullsOf(collection, codec, range) : whereRange(collection, codec, range)
  if (!nulls && mayBeNull(collection, range)) where.conditions.push(`${sqlName(sort)} IS NOT NULL`)
  const passed = after === null || (after.value === null) !== nulls ? null : after
  if (passed !== null) goOn(where, codec, range.index, passed, nulls, descending)
  const direction = descending ? " DESC" : ""
  const order = sort === "id" || nulls ? `id${direction}` : `${sqlName(sort)}${direction}, id${direction}`
  return {
    sql: `SELECT ${codec.selected} FROM ${sqlName(collection.name)}${asSql(where)} ORDER BY ${order} LIMIT ?`,
    bound: where.bound
  }
}

const goOn = (
  where: Where,
  codec: RowCodec,
  { sort }: Index,
  after: Position,
  nulls: boolean,
  descending: boolean
): void => {
  const beyond = descending ? "<" : ">"
  if (sort === "id" || nulls) {
    where.conditions.push(`id ${beyond} ?`)
    where.bound.push(after.id)
  } else {
    where.conditions.push(`(${sqlName(sort)}, id) ${beyond} (?, ?)`)
    where.bound.push(codec.bind(sort, after.value), after.id)
  }
}
