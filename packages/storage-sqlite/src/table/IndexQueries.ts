/**
 * The statements that answer from one index: one for each shape of a segment, prepared when it is
 * first asked for.
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
import { type Place, type Placement, placementOf } from "../schema/placement.js"
import { type Bound, NO_CODE, type RowCodec } from "../codec/RowCodec.js"
import { type Segment, segmentsOf } from "./Segment.js"
import { SegmentSql } from "./SegmentSql.js"
import type { CountIndex } from "../cache/CountIndex.js"
import type { CollectionCounts } from "../cache/CollectionCounts.js"

/**
 * Which of a segment's members narrow it, as a number: segments of one shape and direction share a
 * statement.
 */
const shapeOf = ({ only, atLeast, above, below, beyondId }: Segment, descending: boolean): number =>
  (only === undefined ? 0 : only === null ? 1 : 2) +
  (atLeast === null ? 0 : 3) +
  (above === null ? 0 : 6) +
  (below === null ? 0 : 12) +
  (beyondId === null ? 0 : 24) +
  (descending ? 48 : 0)

/** How many shapes there are, in how many places the rows of a segment may be. */
const SHAPES = 96
const PLACES = 2

/** Rows that SQLite wrote as one text each: see `Driver.prefersText`. */
const valuesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Bound>> =>
  JSON.parse(`[${texts.join()}]`)

const mergedById = (
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
  readonly #placement: Placement
  readonly #sql: SegmentSql
  readonly #stored: CollectionCounts | undefined
  /** Has the count for each prefix of this index. */
  readonly #countIndex: CountIndex | undefined
  /** Of the index of all rows: one that has each of them under one of few values. */
  readonly #totalIndex: CountIndex | undefined
  /** By place, for each shape and part in turn. */
  readonly #scans: Array<Query<ReadonlyArray<Bound>> | undefined> = []
  /** The same with a text for each row. */
  readonly #texts: Array<Query<string> | undefined> = []
  readonly #counts: Array<Query<number> | undefined> = []

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
    this.#placement = placementOf(collection, index)
    this.#sql = new SegmentSql(collection, index, this.#placement, codec)
    this.#stored = counts
    this.#countIndex = counts?.indexes.find(({ on }) => on.join() === index.on.join())
    this.#totalIndex =
      index.name === BY_ID.name ? counts?.indexes.find(({ on }) => on.length === 1) : undefined
  }

  scan({ range, descending, after, limit }: Scan): ReadonlyArray<Row> {
    const part = this.#part(range.prefix)
    if (part === NO_CODE) return []
    let rows: ReadonlyArray<Row> = []
    for (const segment of this.#segments(range, descending, after)) {
      const found = this.#rowsOf(range, part, segment, descending, limit - rows.length)
      rows = rows.length === 0 ? found : rows.concat(found)
      if (rows.length >= limit) break
    }
    return rows
  }

  count({ range }: Count): number {
    if (this.#stored !== undefined && range.atLeast === null && range.below === null) {
      if (this.#countIndex !== undefined) return this.#stored.count(this.#countIndex, range.prefix)
      if (this.#totalIndex !== undefined) return this.#stored.total(this.#totalIndex)
    }
    let total = 0
    const part = this.#part(range.prefix)
    if (part === NO_CODE) return total
    for (const segment of this.#segments(range, false, null)) {
      const bound = this.#sql.bound(range.prefix, segment)
      for (const [nth, place] of this.#places(part, segment).entries()) {
        const at = (shapeOf(segment, false) + SHAPES * part) * PLACES + nth
        const query = (this.#counts[at] ??= this.#file.values(
          this.#sql.count(place, part, segment)
        ))
        total += query.get(...bound) ?? 0
      }
    }
    return total
  }

  #segments(range: Range, descending: boolean, after: Position | null): ReadonlyArray<Segment> {
    return segmentsOf(this.#collection, range, descending, after, this.#placement.hasNullsApart)
  }

  #places(part: number, { only }: Segment): ReadonlyArray<Place> {
    const places = this.#placement.parts[part]
    if (places === undefined) throw new Error(`${this.#index.name} has no part ${part}`)
    return only === null && this.#placement.hasNullsApart ? places.nulls : places.rows
  }

  /** At most `limit` rows of a segment, in its order, from wherever they are. */
  #rowsOf(
    { prefix }: Range,
    part: number,
    segment: Segment,
    descending: boolean,
    limit: number
  ): ReadonlyArray<Row> {
    const bound = this.#sql.bound(prefix, segment)
    bound.push(limit)
    const [rows = [], others = []] = this.#places(part, segment).map((place, nth) => {
      const at = (shapeOf(segment, descending) + SHAPES * part) * PLACES + nth
      const sql = (selected: string) => this.#sql.scan(selected, place, part, segment, descending)
      if (limit === 1 || !this.#file.driver.prefersText) {
        const scan = (this.#scans[at] ??= this.#file.rows(sql(this.#codec.selected)))
        return scan.all(...bound).map(this.#codec.row)
      }
      const text = (this.#texts[at] ??= this.#file.values(
        sql(`json_array(${this.#codec.selected})`)
      ))
      return valuesOf(text.all(...bound)).map(this.#codec.row)
    })
    return others.length === 0 ? rows : mergedById(rows, others, descending).slice(0, limit)
  }

  /**
   * The part of the index that has this prefix; 0 of an index of one part, and `NO_CODE` where no
   * row can have it.
   */
  #part(prefix: ReadonlyArray<Value>): number {
    const column = this.#index.on[this.#placement.partAt]
    return column === undefined
      ? 0
      : Number(this.#codec.sought(column, prefix[this.#placement.partAt] ?? null))
  }
}
