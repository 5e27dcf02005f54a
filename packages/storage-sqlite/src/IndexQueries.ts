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
import type { Bound, RowCodec } from "./RowCodec.js"
import { type Segment, segmentsOf } from "./Segment.js"

/** Which of a segment's members narrow it, as a number: segments of one shape and direction share a statement. */
const shapeOf = ({ only, atLeast, above, below, beyondId }: Segment, descending: boolean): number =>
  (only === undefined ? 0 : only === null ? 1 : 2) +
  (atLeast === null ? 0 : 3) +
  (above === null ? 0 : 6) +
  (below === null ? 0 : 12) +
  (beyondId === null ? 0 : 24) +
  (descending ? 48 : 0)

export type Prepare = (sql: string) => Statement

/** The columns whose values rows are counted by, wherever an index is on them: see `tallies` in the schema. */
const TALLIED: ReadonlySet<string> = new Set([
  "pets:status",
  "pets:categoryId,status",
  "inventory:status",
  "orders:complete"
])

const TALLY_NAMES: Readonly<Record<string, string>> = { categoryId: "category" }

/** Reads how many rows have two values, if they are counted; of a tally by one column the second is 0. */
const tallyOf = (prepare: Prepare, { name }: Collection<Row>, { on }: Index): Statement | undefined => {
  if (!TALLIED.has(`${name}:${on.join()}`)) return undefined
  const tally = [name, ...on.map((column) => TALLY_NAMES[column] ?? column)].join("_")
  return prepare(`SELECT count FROM tallies WHERE tally = '${tally}' AND first = ? AND second = ?`).pluck()
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
  readonly #scans: Array<Statement | undefined> = []
  readonly #tally: Statement | undefined
  readonly #counts: Array<Statement | undefined> = []

  constructor(prepare: Prepare, collection: Collection<Row>, codec: RowCodec, index: Index) {
    this.#prepare = prepare
    this.#collection = collection
    this.#codec = codec
    this.#index = index
    this.#tally = tallyOf(prepare, collection, index)
  }

  scan({ range, descending, after, limit }: Scan): ReadonlyArray<Row> {
    const rows: Array<Row> = []
    for (const segment of segmentsOf(this.#collection, range, descending, after)) {
      const shape = shapeOf(segment, descending)
      const statement = (this.#scans[shape] ??= this.#prepare(this.#scanSql(segment, descending)).pluck())
      const bound = this.#bound(range.prefix, segment)
      bound.push(limit - rows.length)
      for (const values of valuesOf(statement.all(bound) as ReadonlyArray<string>))
        rows.push(this.#codec.row(values))
      if (rows.length >= limit) break
    }
    return rows
  }

  count({ range }: Count): number {
    if (this.#tally !== undefined && range.atLeast === null && range.below === null) {
      const [first = 0, second = 0] = this.#index.on.map((column, at) =>
        this.#codec.sought(column, range.prefix[at] ?? null)
      )
      return Number(this.#tally.get(first, second) ?? 0)
    }
    let total = 0
    for (const segment of segmentsOf(this.#collection, range, false, null)) {
      const shape = shapeOf(segment, false)
      const statement = (this.#counts[shape] ??= this.#prepare(this.#countSql(segment)).pluck())
      total += Number(statement.get(this.#bound(range.prefix, segment)))
    }
    return total
  }

  /** The index is named, so that no statistics a host may have gathered lead SQLite to another one. */
  #from(by: string, segment: Segment, descending: boolean): string {
    const { on, sort } = this.#index
    const columns: Readonly<Record<string, Column>> = this.#collection.columns
    const column = sqlName(sort)
    const conditions = on.map((each) => `${sqlName(each)} ${columns[each]?.optional === true ? "IS" : "="} ?`)
    if (segment.only !== undefined)
      conditions.push(segment.only === null ? `${column} IS NULL` : `${column} = ?`)
    if (segment.atLeast !== null) conditions.push(`${column} >= ?`)
    if (segment.above !== null) conditions.push(`${column} > ?`)
    if (segment.below !== null) conditions.push(`${column} < ?`)
    if (segment.beyondId !== null) conditions.push(`id ${descending ? "<" : ">"} ?`)
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    return `FROM ${sqlName(this.#collection.name)}${by}${where}`
  }

  #indexedBy(): string {
    return ` INDEXED BY ${indexName(this.#collection.name, this.#index.name)}`
  }

  #scanSql(segment: Segment, descending: boolean): string {
    const { name, sort } = this.#index
    const direction = descending ? " DESC" : ""
    const order = sort === "id" || segment.only !== undefined ? [] : [`${sqlName(sort)}${direction}`]
    const from = this.#from(name === BY_ID.name ? " NOT INDEXED" : this.#indexedBy(), segment, descending)
    return `SELECT json_array(${this.#codec.selected}) ${from} ORDER BY ${[...order, `id${direction}`].join(", ")} LIMIT ?`
  }

  /** Any index has all rows, and SQLite takes the one with the fewest pages. */
  #countSql(segment: Segment): string {
    return `SELECT count(*) ${this.#from(this.#index.name === BY_ID.name ? "" : this.#indexedBy(), segment, false)}`
  }

  #bound(prefix: ReadonlyArray<Value>, { only, atLeast, above, below, beyondId }: Segment): Array<Bound> {
    const { on, sort } = this.#index
    const bound = on.map((column, at) => this.#codec.sought(column, prefix[at] ?? null))
    if (only !== undefined && only !== null) bound.push(this.#codec.sought(sort, only))
    if (atLeast !== null) bound.push(this.#codec.sought(sort, atLeast))
    if (above !== null) bound.push(this.#codec.sought(sort, above))
    if (below !== null) bound.push(this.#codec.sought(sort, below))
    if (beyondId !== null) bound.push(beyondId)
    return bound
  }
}
