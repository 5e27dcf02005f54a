/**
 * The indexes on the same columns. For each prefix, which is a combination of values of those
 * columns that occurs, it has the rows in the order of each index. A prefix with few rows has their
 * ids and no sorted indexes: most keys are unique, and most pets have few orders.
 */
import type { Row, Value } from "@petstore/core/storage"
import type { CowToken } from "../CowToken.js"
import type { IndexEntry, RowOf } from "./IndexEntry.js"
import { Indexes } from "./Indexes.js"
import type { IndexGroupSchema } from "./IndexSchema.js"
import type { Interval } from "./Interval.js"
import { PrefixMap } from "./PrefixMap.js"
import { countWithin, idsWithin, listOf, MAX_ROW_IDS, withId, withoutId } from "./RowIds.js"

export class IndexGroup {
  readonly #token: CowToken
  readonly #schema: IndexGroupSchema
  readonly #map: PrefixMap

  constructor(token: CowToken, schema: IndexGroupSchema, map = PrefixMap.empty(token)) {
    this.#token = token
    this.#schema = schema
    this.#map = map
  }

  writableBy(token: CowToken): IndexGroup {
    if (this.#token === token) return this
    return new IndexGroup(token, this.#schema, this.#map.writableBy(token))
  }

  /**
   * At most `limit` ids of an index, by its number in the group. `rowOf` gives the row of an id.
   */
  ids(
    values: ReadonlyArray<Value>,
    number: number,
    interval: Interval,
    descending: boolean,
    limit: number,
    rowOf: RowOf
  ): ReadonlyArray<number> {
    const rows = this.#map.get(this.#schema.prefixes.ofValues(values))
    if (rows === undefined || limit <= 0) return []
    return rows instanceof Indexes
      ? rows.at(number).ids(interval, descending, limit, rowOf)
      : idsWithin(rows, this.#sort(number), interval, descending, limit, rowOf)
  }

  count(values: ReadonlyArray<Value>, number: number, interval: Interval, rowOf: RowOf): number {
    const rows = this.#map.get(this.#schema.prefixes.ofValues(values))
    if (rows === undefined) return 0
    return rows instanceof Indexes
      ? rows.at(number).count(interval, rowOf)
      : countWithin(rows, this.#sort(number), interval, rowOf)
  }

  /** `entries` are the row's, as `IndexSchema.entriesOf` returns them. */
  add(row: Row, entries: ReadonlyArray<IndexEntry>, rowOf: RowOf): void {
    const prefix = this.#schema.prefixes.ofRow(row)
    const rows = this.#map.getWritable(prefix)
    if (rows instanceof Indexes) return rows.add(this.#token, entries, rowOf)
    if (rows === undefined) return this.#map.set(prefix, row.id)
    const ids = withId(rows, row.id)
    this.#map.set(
      prefix,
      ids.length <= MAX_ROW_IDS
        ? ids
        : Indexes.of(this.#token, this.#schema, [...listOf(rows).map(rowOf), row], rowOf)
    )
  }

  remove(row: Row, rowOf: RowOf): void {
    const prefix = this.#schema.prefixes.ofRow(row)
    const rows = this.#map.getWritable(prefix)
    if (rows === undefined) throw new Error(`the index has no entry for the row ${row.id}`)
    if (rows instanceof Indexes) {
      rows.remove(this.#token, row, rowOf)
      if (rows.size === 0) this.#map.delete(prefix)
    } else {
      const left = withoutId(rows, row.id)
      if (left === undefined) this.#map.delete(prefix)
      else this.#map.set(prefix, left)
    }
  }

  /** Moves the entries of a row that was replaced, in the indexes whose columns changed. */
  replace(before: Row, after: Row, entries: ReadonlyArray<IndexEntry>, rowOf: RowOf): void {
    const { on, prefixes } = this.#schema
    if (on.some((column) => before[column] !== after[column])) {
      this.remove(before, rowOf)
      this.add(after, entries, rowOf)
      return
    }
    const rows = this.#map.getWritable(prefixes.ofRow(after))
    if (rows instanceof Indexes) rows.move(this.#token, before, after, rowOf)
  }

  #sort(number: number): string {
    return this.#schema.sorts[number] ?? "id"
  }
}
