/**
 * The statements that read one index: one for each shape of a segment, prepared when it is first
 * needed.
 */
import {
  BY_ID,
  type Collection,
  type Count,
  type Index,
  type Position,
  type Range,
  type Row,
  type Scan,
  type Value
} from "@petstore/core/storage"
import type { Connection, Query } from "../driver/Driver.js"
import { type RowSource, type IndexLayout, indexLayoutOf } from "../schema/IndexLayout.js"
import { type ColumnValue, NO_CODE, type RowCodec } from "../codec/RowCodec.js"
import { type Segment, segmentsOf } from "./Segment.js"
import { SegmentSql } from "./SegmentSql.js"
import type { CountIndex } from "../cache/CountIndex.js"
import type { CollectionCounts } from "../cache/CollectionCounts.js"

/**
 * A number for the set of bounds that a segment has, and its direction. Segments of the same shape
 * share a statement.
 */
const shapeOf = (
  { equals, atLeast, above, below, afterId }: Segment,
  descending: boolean
): number =>
  (equals === undefined ? 0 : equals === null ? 1 : 2) +
  (atLeast === null ? 0 : 3) +
  (above === null ? 0 : 6) +
  (below === null ? 0 : 12) +
  (afterId === null ? 0 : 24) +
  (descending ? 48 : 0)

/** The number of shapes, and the most sources that the rows of a segment may be in. */
const SHAPES = 96
const MAX_SOURCES = 2

/** Parses rows that SQLite returned as one JSON text each: see `Driver.prefersText`. */
const valuesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<ColumnValue>> =>
  JSON.parse(`[${texts.join()}]`)

const mergeById = (
  rows: ReadonlyArray<Row>,
  others: ReadonlyArray<Row>,
  descending: boolean
): ReadonlyArray<Row> =>
  [...rows, ...others].sort((left, right) => (descending ? right.id - left.id : left.id - right.id))

export class IndexQueries {
  readonly #file: Connection
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #index: Index
  readonly #layout: IndexLayout
  readonly #sql: SegmentSql
  readonly #collectionCounts: CollectionCounts | undefined
  /** Counts by the prefix of this index, if the collection declares it. */
  readonly #countIndex: CountIndex | undefined
  /** For the index of all rows: any counts by one column, whose sum is the number of rows. */
  readonly #anyCountIndex: CountIndex | undefined
  /** By partition, shape and source. */
  readonly #rowQueries: Array<Query<ReadonlyArray<ColumnValue>> | undefined> = []
  /** The same, with one JSON text for each row. */
  readonly #textQueries: Array<Query<string> | undefined> = []
  readonly #countQueries: Array<Query<number> | undefined> = []

  constructor(
    file: Connection,
    collection: Collection<Row>,
    codec: RowCodec,
    index: Index,
    counts: CollectionCounts | undefined
  ) {
    this.#file = file
    this.#collection = collection
    this.#codec = codec
    this.#index = index
    this.#layout = indexLayoutOf(collection, index)
    this.#sql = new SegmentSql(collection, index, this.#layout, codec)
    this.#collectionCounts = counts
    this.#countIndex = counts?.indexes.find(({ on }) => on.join() === index.on.join())
    this.#anyCountIndex =
      index.name === BY_ID.name ? counts?.indexes.find(({ on }) => on.length === 1) : undefined
  }

  scan({ range, descending, after, limit }: Scan): ReadonlyArray<Row> {
    const partition = this.#partitionOf(range.prefix)
    if (partition === NO_CODE) return []
    let rows: ReadonlyArray<Row> = []
    for (const segment of this.#segments(range, descending, after)) {
      const segmentRows = this.#rowsOf(range, partition, segment, descending, limit - rows.length)
      rows = rows.length === 0 ? segmentRows : rows.concat(segmentRows)
      if (rows.length >= limit) break
    }
    return rows
  }

  count({ range }: Count): number {
    if (this.#collectionCounts !== undefined && range.atLeast === null && range.below === null) {
      if (this.#countIndex !== undefined)
        return this.#collectionCounts.count(this.#countIndex, range.prefix)
      if (this.#anyCountIndex !== undefined)
        return this.#collectionCounts.countAll(this.#anyCountIndex)
    }
    let total = 0
    const partition = this.#partitionOf(range.prefix)
    if (partition === NO_CODE) return total
    for (const segment of this.#segments(range, false, null)) {
      const parameters = this.#sql.parameters(range.prefix, segment)
      for (const [nth, source] of this.#sourcesOf(partition, segment).entries()) {
        const slot = (shapeOf(segment, false) + SHAPES * partition) * MAX_SOURCES + nth
        const query = (this.#countQueries[slot] ??= this.#file.values(
          this.#sql.count(source, partition, segment)
        ))
        total += query.get(...parameters) ?? 0
      }
    }
    return total
  }

  #segments(range: Range, descending: boolean, after: Position | null): ReadonlyArray<Segment> {
    return segmentsOf(this.#collection, range, descending, after, this.#layout.separatesNulls)
  }

  #sourcesOf(partition: number, { equals }: Segment): ReadonlyArray<RowSource> {
    const sources = this.#layout.partitions[partition]
    if (sources === undefined) throw new Error(`${this.#index.name} has no partition ${partition}`)
    return equals === null && this.#layout.separatesNulls ? sources.nulls : sources.rows
  }

  /** At most `limit` rows of a segment, in its order, from all of its sources. */
  #rowsOf(
    { prefix }: Range,
    partition: number,
    segment: Segment,
    descending: boolean,
    limit: number
  ): ReadonlyArray<Row> {
    const parameters = this.#sql.parameters(prefix, segment)
    parameters.push(limit)
    const [rows = [], others = []] = this.#sourcesOf(partition, segment).map((source, nth) => {
      const slot = (shapeOf(segment, descending) + SHAPES * partition) * MAX_SOURCES + nth
      const sql = (selectList: string) =>
        this.#sql.scan(selectList, source, partition, segment, descending)
      if (limit === 1 || !this.#file.driver.prefersText) {
        const query = (this.#rowQueries[slot] ??= this.#file.rows(sql(this.#codec.selectList)))
        return query.all(...parameters).map(this.#codec.row)
      }
      const query = (this.#textQueries[slot] ??= this.#file.values(
        sql(`json_array(${this.#codec.selectList})`)
      ))
      return valuesOf(query.all(...parameters)).map(this.#codec.row)
    })
    return others.length === 0 ? rows : mergeById(rows, others, descending).slice(0, limit)
  }

  /**
   * The partition of the index that has this prefix; 0 if there is only one, and `NO_CODE` if no
   * row can have the prefix.
   */
  #partitionOf(prefix: ReadonlyArray<Value>): number {
    const column = this.#index.on[this.#layout.partitionPosition]
    return column === undefined
      ? 0
      : Number(this.#codec.searchValue(column, prefix[this.#layout.partitionPosition] ?? null))
  }
}
