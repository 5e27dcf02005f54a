/** The SQL that reads one segment of an index, and its parameters. */
import type { Collection, Column, Index, Row, Value } from "@petstore/core/storage"
import { sqlName } from "../base/names.js"
import type { ColumnValue, RowCodec } from "../codec/RowCodec.js"
import type { RowSource, IndexLayout } from "../schema/IndexLayout.js"
import type { Segment } from "./Segment.js"

/**
 * SQLite's planner uses the value of a bare parameter in LIMIT, so each new value would plan the
 * statement again, which takes longer than reading a row. It ignores the value within a sum.
 */
const LIMIT = "LIMIT ? + 0"

const indexedBy = ({ name }: RowSource): string | undefined =>
  name === undefined ? undefined : ` INDEXED BY ${name}`

export class SegmentSql {
  readonly #collection: Collection<Row>
  readonly #index: Index
  readonly #layout: IndexLayout
  readonly #codec: RowCodec

  constructor(collection: Collection<Row>, index: Index, layout: IndexLayout, codec: RowCodec) {
    this.#collection = collection
    this.#index = index
    this.#layout = layout
    this.#codec = codec
  }

  /** Selects the rows of a segment in its order. The last parameter is the limit. */
  scan(
    selectList: string,
    source: RowSource,
    partition: number,
    segment: Segment,
    descending: boolean
  ): string {
    const { sort } = this.#index
    const direction = descending ? " DESC" : ""
    const order =
      sort === "id" || segment.equals !== undefined ? [] : [`${sqlName(sort)}${direction}`]
    const from = this.#from(
      indexedBy(source) ?? " NOT INDEXED",
      source,
      partition,
      segment,
      descending
    )
    const orderBy = [...order, `id${direction}`].join(", ")
    return `SELECT ${selectList} ${from} ORDER BY ${orderBy} ${LIMIT}`
  }

  /** Counts the rows of a segment. For all rows, SQLite uses the index with the fewest pages. */
  count(source: RowSource, partition: number, segment: Segment): string {
    const from = this.#from(indexedBy(source) ?? "", source, partition, segment, false)
    return `SELECT count(*) ${from}`
  }

  /** The parameters without the limit. */
  parameters(
    prefix: ReadonlyArray<Value>,
    { equals, atLeast, above, below, afterId }: Segment
  ): Array<ColumnValue> {
    const { on, sort } = this.#index
    const parameters: Array<ColumnValue> = []
    for (const [at, column] of on.entries())
      if (at !== this.#layout.partitionPosition)
        parameters.push(this.#codec.searchValue(column, prefix[at] ?? null))
    if (equals !== undefined && equals !== null)
      parameters.push(this.#codec.searchValue(sort, equals))
    if (atLeast !== null) parameters.push(this.#codec.searchValue(sort, atLeast))
    if (above !== null) parameters.push(this.#codec.searchValue(sort, above))
    if (below !== null) parameters.push(this.#codec.searchValue(sort, below))
    if (afterId !== null) parameters.push(afterId)
    return parameters
  }

  /**
   * Names the index, so that statistics which a host may have gathered (ANALYZE) don't lead SQLite
   * to another one.
   */
  #from(
    indexClause: string,
    { condition }: RowSource,
    partition: number,
    segment: Segment,
    descending: boolean
  ): string {
    const { on, sort } = this.#index
    const columns: Readonly<Record<string, Column>> = this.#collection.columns
    const column = sqlName(sort)
    const conditions = on.map(
      (each, at) =>
        `${sqlName(each)} ${columns[each]?.optional === true ? "IS" : "="} ` +
        (at === this.#layout.partitionPosition ? partition : "?")
    )
    if (condition !== undefined) conditions.push(condition)
    if (segment.equals !== undefined)
      conditions.push(segment.equals === null ? `${column} IS NULL` : `${column} = ?`)
    if (segment.atLeast !== null) conditions.push(`${column} >= ?`)
    if (segment.above !== null) conditions.push(`${column} > ?`)
    if (segment.below !== null) conditions.push(`${column} < ?`)
    if (segment.afterId !== null) conditions.push(`id ${descending ? "<" : ">"} ?`)
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    return `FROM ${sqlName(this.#collection.name)}${indexClause}${where}`
  }
}
