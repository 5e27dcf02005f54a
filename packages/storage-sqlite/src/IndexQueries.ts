/** The statements that answer from one index: one for each shape of a segment, prepared when it is first asked for. */
import {
  BY_ID,
  type Collection,
  type Column,
  type Count,
  type Index,
  type Row,
  type Scan,
  type Value
} from "@petstore/core"
import type { Statement } from "better-sqlite3"
import { indexName, sqlName } from "./names.js"
import { type Bound, NO_CODE, type RowCodec } from "./RowCodec.js"
import { type Segment, segmentsOf } from "./Segment.js"
import type { Tally } from "./Tally.js"

/** Which of a segment's members narrow it, as a number: segments of one shape and direction share a statement. */
const shapeOf = ({ only, atLeast, above, below, beyondId }: Segment, descending: boolean): number =>
  (only === undefined ? 0 : only === null ? 1 : 2) +
  (atLeast === null ? 0 : 3) +
  (above === null ? 0 : 6) +
  (below === null ? 0 : 12) +
  (beyondId === null ? 0 : 24) +
  (descending ? 48 : 0)

export type Prepare = (sql: string) => Statement

/** How many shapes there are. */
const SHAPES = 96

/**
 * The column that an index has one part for each value of: one of few values, unless the index has nothing else. It is told by
 * the part then, and no entry repeats it.
 */
const partedBy = (collection: Collection<Row>, { on, sort, scanned }: Index): string | undefined => {
  if (scanned === true) return undefined
  const columns: Readonly<Record<string, Column>> = collection.columns
  const found = on.find((column) => columns[column]?.values !== undefined)
  return on.length === 1 && sort === "id" ? undefined : found
}

/**
 * The rows of a page, each of which SQLite wrote as one text: handing over a text a row, and parsing them all at once, takes 31 µs for a
 * page of 50 pets, handing over each of their values takes 44.
 */
const valuesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Bound>> =>
  JSON.parse(`[${texts.join()}]`)

export class IndexQueries {
  readonly #prepare: Prepare
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #index: Index
  /** Where in the prefix the value stands that says which part of the index it is; -1 for an index of one part. */
  readonly #partAt: number
  readonly #tally: Tally | undefined
  /** By shape, for each part in turn. */
  readonly #scans: Array<Statement | undefined> = []
  readonly #counts: Array<Statement | undefined> = []

  constructor(
    prepare: Prepare,
    collection: Collection<Row>,
    codec: RowCodec,
    index: Index,
    tallies: ReadonlyArray<Tally>
  ) {
    this.#prepare = prepare
    this.#collection = collection
    this.#codec = codec
    this.#index = index
    const parted = partedBy(collection, index)
    this.#partAt = parted === undefined ? -1 : index.on.indexOf(parted)
    this.#tally = tallies.find(({ on }) => on.join() === index.on.join())
  }

  scan({ range, descending, after, limit }: Scan): ReadonlyArray<Row> {
    const rows: Array<Row> = []
    const part = this.#part(range.prefix)
    if (part === NO_CODE) return rows
    for (const segment of segmentsOf(this.#collection, range, descending, after)) {
      const at = shapeOf(segment, descending) + SHAPES * part
      const statement = (this.#scans[at] ??= this.#prepare(this.#scanSql(part, segment, descending)).pluck())
      const bound = this.#bound(range.prefix, segment)
      bound.push(limit - rows.length)
      for (const values of valuesOf(statement.all(bound) as ReadonlyArray<string>))
        rows.push(this.#codec.row(values))
      if (rows.length >= limit) break
    }
    return rows
  }

  count({ range }: Count): number {
    if (this.#tally !== undefined && range.atLeast === null && range.below === null)
      return this.#tally.count(range.prefix)
    let total = 0
    const part = this.#part(range.prefix)
    if (part === NO_CODE) return total
    for (const segment of segmentsOf(this.#collection, range, false, null)) {
      const at = shapeOf(segment, false) + SHAPES * part
      const statement = (this.#counts[at] ??= this.#prepare(this.#countSql(part, segment)).pluck())
      total += Number(statement.get(this.#bound(range.prefix, segment)))
    }
    return total
  }

  /** The part of the index that has this prefix; 0 of an index of one part, and `NO_CODE` where no row can have it. */
  #part(prefix: ReadonlyArray<Value>): number {
    const column = this.#index.on[this.#partAt]
    return column === undefined ? 0 : Number(this.#codec.sought(column, prefix[this.#partAt] ?? null))
  }

  /** The index is named, so that no statistics a host may have gathered lead SQLite to another one. */
  #from(by: string, part: number, segment: Segment, descending: boolean): string {
    const { on, sort } = this.#index
    const columns: Readonly<Record<string, Column>> = this.#collection.columns
    const column = sqlName(sort)
    const conditions = on.map(
      (each, at) =>
        `${sqlName(each)} ${columns[each]?.optional === true ? "IS" : "="} ${at === this.#partAt ? part : "?"}`
    )
    if (segment.only !== undefined)
      conditions.push(segment.only === null ? `${column} IS NULL` : `${column} = ?`)
    if (segment.atLeast !== null) conditions.push(`${column} >= ?`)
    if (segment.above !== null) conditions.push(`${column} > ?`)
    if (segment.below !== null) conditions.push(`${column} < ?`)
    if (segment.beyondId !== null) conditions.push(`id ${descending ? "<" : ">"} ?`)
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    return `FROM ${sqlName(this.#collection.name)}${by}${where}`
  }

  /** Whether the rows are found in the table itself, which is in the order of ids. */
  #isOfTable(): boolean {
    return this.#index.name === BY_ID.name || this.#index.scanned === true
  }

  #indexedBy(part: number): string {
    return ` INDEXED BY ${indexName(this.#collection.name, this.#index.name, this.#partAt < 0 ? undefined : part)}`
  }

  #scanSql(part: number, segment: Segment, descending: boolean): string {
    const { sort } = this.#index
    const direction = descending ? " DESC" : ""
    const order = sort === "id" || segment.only !== undefined ? [] : [`${sqlName(sort)}${direction}`]
    const by = this.#isOfTable() ? " NOT INDEXED" : this.#indexedBy(part)
    const from = this.#from(by, part, segment, descending)
    return `SELECT json_array(${this.#codec.selected}) ${from} ORDER BY ${[...order, `id${direction}`].join(", ")} LIMIT ?`
  }

  /** Any index has all rows, and SQLite takes the one with the fewest pages. */
  #countSql(part: number, segment: Segment): string {
    const by = this.#isOfTable() ? "" : this.#indexedBy(part)
    return `SELECT count(*) ${this.#from(by, part, segment, false)}`
  }

  #bound(prefix: ReadonlyArray<Value>, { only, atLeast, above, below, beyondId }: Segment): Array<Bound> {
    const { on, sort } = this.#index
    const bound: Array<Bound> = []
    for (const [at, column] of on.entries())
      if (at !== this.#partAt) bound.push(this.#codec.sought(column, prefix[at] ?? null))
    if (only !== undefined && only !== null) bound.push(this.#codec.sought(sort, only))
    if (atLeast !== null) bound.push(this.#codec.sought(sort, atLeast))
    if (above !== null) bound.push(this.#codec.sought(sort, above))
    if (below !== null) bound.push(this.#codec.sought(sort, below))
    if (beyondId !== null) bound.push(beyondId)
    return bound
  }
}
