/** The SQL that reads one segment of an index, and the values that it is bound with. */
import type { Collection, Column, Index, Row, Value } from "@petstore/core/storage"
import { sqlName } from "../base/names.js"
import type { Bound, RowCodec } from "../codec/RowCodec.js"
import type { Place, Placement } from "../schema/placement.js"
import type { Segment } from "./Segment.js"

/**
 * SQLite looks at a bare parameter here when it plans, and therefore plans anew each time one is
 * bound, which takes longer than reading a row. It does not look into a sum.
 */
const LIMIT = "LIMIT ? + 0"

const indexedBy = ({ name }: Place): string | undefined =>
  name === undefined ? undefined : ` INDEXED BY ${name}`

export class SegmentSql {
  readonly #collection: Collection<Row>
  readonly #index: Index
  readonly #placement: Placement
  readonly #codec: RowCodec

  constructor(collection: Collection<Row>, index: Index, placement: Placement, codec: RowCodec) {
    this.#collection = collection
    this.#index = index
    this.#placement = placement
    this.#codec = codec
  }

  /** The rows of a segment in its order, at most as many as the last value says. */
  scan(
    selected: string,
    place: Place,
    part: number,
    segment: Segment,
    descending: boolean
  ): string {
    const { sort } = this.#index
    const direction = descending ? " DESC" : ""
    const order =
      sort === "id" || segment.only !== undefined ? [] : [`${sqlName(sort)}${direction}`]
    const from = this.#from(indexedBy(place) ?? " NOT INDEXED", place, part, segment, descending)
    return `SELECT ${selected} ${from} ORDER BY ${[...order, `id${direction}`].join(", ")} ${LIMIT}`
  }

  /** Any index has all rows, and SQLite takes the one with the fewest pages. */
  count(place: Place, part: number, segment: Segment): string {
    return `SELECT count(*) ${this.#from(indexedBy(place) ?? "", place, part, segment, false)}`
  }

  /** The values of its parameters, without the limit. */
  bound(
    prefix: ReadonlyArray<Value>,
    { only, atLeast, above, below, beyondId }: Segment
  ): Array<Bound> {
    const { on, sort } = this.#index
    const bound: Array<Bound> = []
    for (const [at, column] of on.entries())
      if (at !== this.#placement.partAt) bound.push(this.#codec.sought(column, prefix[at] ?? null))
    if (only !== undefined && only !== null) bound.push(this.#codec.sought(sort, only))
    if (atLeast !== null) bound.push(this.#codec.sought(sort, atLeast))
    if (above !== null) bound.push(this.#codec.sought(sort, above))
    if (below !== null) bound.push(this.#codec.sought(sort, below))
    if (beyondId !== null) bound.push(beyondId)
    return bound
  }

  /**
   * The index is named, so that no statistics a host may have gathered lead SQLite to another one.
   */
  #from(
    by: string,
    { condition }: Place,
    part: number,
    segment: Segment,
    descending: boolean
  ): string {
    const { on, sort } = this.#index
    const columns: Readonly<Record<string, Column>> = this.#collection.columns
    const column = sqlName(sort)
    const conditions = on.map(
      (each, at) =>
        `${sqlName(each)} ${columns[each]?.optional === true ? "IS" : "="} ` +
        (at === this.#placement.partAt ? part : "?")
    )
    if (condition !== undefined) conditions.push(condition)
    if (segment.only !== undefined)
      conditions.push(segment.only === null ? `${column} IS NULL` : `${column} = ?`)
    if (segment.atLeast !== null) conditions.push(`${column} >= ?`)
    if (segment.above !== null) conditions.push(`${column} > ?`)
    if (segment.below !== null) conditions.push(`${column} < ?`)
    if (segment.beyondId !== null) conditions.push(`id ${descending ? "<" : ">"} ?`)
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    return `FROM ${sqlName(this.#collection.name)}${by}${where}`
  }
}
