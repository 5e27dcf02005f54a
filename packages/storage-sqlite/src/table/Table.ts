/** One collection on one connection: its prepared statements. */
import {
  BY_ID,
  type Collection,
  type Count,
  EVERY_ROW,
  type Image,
  type NewRow,
  type Row,
  type Scan,
  type Value
} from "@petstore/core/storage"
import type { Command, Connection, Query } from "../driver/Driver.js"
import { primaryCode } from "../driver/resultCodes.js"
import { SqliteError } from "../driver/SqliteError.js"
import { RowCache } from "../cache/RowCache.js"
import { imageCodecOf } from "../codec/ImageCodec.js"
import { IndexQueries } from "./IndexQueries.js"
import type { IdSequence } from "../cache/IdSequence.js"
import { sqlName } from "../base/names.js"
import { type ColumnValue, type RowCodec, rowCodec } from "../codec/RowCodec.js"
import { countsOf } from "../cache/countsOf.js"
import type { TransactionCache } from "../cache/TransactionCache.js"
import type { CollectionCounts } from "../cache/CollectionCounts.js"
import { Updates } from "./Updates.js"

const ALL_ROWS = {
  op: "scan",
  descending: false,
  after: null,
  limit: Number.MAX_SAFE_INTEGER
} as const

export class Table {
  /** How often this connection changed a row, including changes that were rolled back. */
  changes = 0
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #name: string
  readonly #get: Query<ReadonlyArray<ColumnValue>>
  readonly #insert: Command
  readonly #cache = new RowCache()
  readonly #remove: Command
  readonly #deleteBelow: Command
  readonly #greatest: Query<number | null>
  /** Undefined if the collection declares none. */
  readonly #counts: CollectionCounts | undefined
  /** Undefined if callers choose the ids. */
  readonly #idSequence: IdSequence | undefined
  readonly #updates: Updates
  readonly #indexes: ReadonlyMap<string, IndexQueries>

  constructor(file: Connection, collection: Collection<Row>, idSequence: IdSequence) {
    this.#collection = collection
    this.#codec = rowCodec(collection, imageCodecOf)
    this.#name = sqlName(collection.name)
    this.#idSequence = collection.key === "given" ? undefined : idSequence
    this.#counts = countsOf(file, collection, this.#codec)
    this.#updates = new Updates(file, this.#name, this.#codec, this.#counts?.indexes ?? [])
    const { sqlColumns, selectList } = this.#codec
    this.#get = file.rows(`SELECT ${selectList} FROM ${this.#name} WHERE id = ?`)
    const columns = ["revision", "id", ...sqlColumns]
    this.#insert = file.command(
      `INSERT INTO ${this.#name} (${columns.join(", ")})
        VALUES (1${", ?".repeat(columns.length - 1)})`
    )
    this.#remove = file.command(`DELETE FROM ${this.#name} WHERE id = ?`)
    this.#deleteBelow = file.command(`DELETE FROM ${this.#name} WHERE id < ?`)
    this.#greatest = file.values(`SELECT max(id) FROM ${this.#name}`)
    this.#indexes = new Map(
      [BY_ID, ...collection.indexes].map((index) => [
        index.name,
        new IndexQueries(file, collection, this.#codec, index, this.#counts)
      ])
    )
  }

  /** The caches that must follow the events of a transaction. */
  get caches(): ReadonlyArray<TransactionCache> {
    return this.#counts === undefined ? [this.#cache] : [this.#cache, this.#counts]
  }

  /** To be called before a row is changed, inserted or removed. */
  noteWrite(): void {
    this.changes++
  }

  get(id: number): Row | undefined {
    const values = this.#get.get(id)
    return values === undefined ? undefined : this.#codec.row(values)
  }

  /** The same through the cache, which is valid only under the write lock. */
  getCached(id: number): Row | undefined {
    const cached = this.#cache.get(id)
    if (cached !== undefined) return cached
    const row = this.get(id)
    // A copy: V8 allocates objects of one site in the old generation once most of them live long.
    // Without the copy, all rows that are read would be allocated there, those of lists as well.
    if (row !== undefined) this.#cache.set({ ...row })
    return row
  }

  insert(row: NewRow): Row {
    const inserted: { id: number; revision: number; [column: string]: Value | Image } = {
      id: this.insertOnly(row),
      revision: 1
    }
    for (const column of this.#codec.columns) inserted[column] = row[column] ?? null
    return inserted
  }

  /** Inserts the row, and returns only its id. */
  insertOnly(row: NewRow): number {
    const next = this.#idSequence === undefined ? (row.id ?? 0) : this.#idSequence.next(this.#name)
    const parameters: Array<ColumnValue> = [next]
    for (const encode of this.#codec.strictEncoders) parameters.push(encode(row))
    const id = this.#insert.run(...parameters).lastInsertRowid
    if (id > Number.MAX_SAFE_INTEGER) throw noIdsLeft(this.#name)
    if (next !== null) this.#idSequence?.afterInsert(this.#name)
    this.#counts?.add(row, id)
    return id
  }

  put(row: Row, changed: ReadonlyArray<string>): void {
    const { statement, encoders, counts: moved } = this.#updates.of(changed)
    const parameters: Array<ColumnValue> = [row.revision]
    for (const encode of encoders) parameters.push(encode(row))
    parameters.push(row.id)
    const before =
      moved.length > 0 && this.#counts?.includes(row.id) === true
        ? this.getCached(row.id)
        : undefined
    if (statement.run(...parameters).changes !== 1)
      throw new Error(`put: ${this.#name} has no row ${row.id}`)
    this.#cache.set(row)
    if (before !== undefined) for (const index of moved) this.#counts?.update(index, before, row)
  }

  remove(id: number): void {
    const before = this.#counts?.includes(id) === true ? this.getCached(id) : undefined
    this.#noteGreatestId(id + 1)
    if (this.#remove.run(id).changes !== 1)
      throw new Error(`remove: ${this.#name} has no row ${id}`)
    this.#cache.delete(id)
    if (before !== undefined) this.#counts?.remove(before)
  }

  deleteBelow(below: number): void {
    if (this.#counts !== undefined) {
      const range = { ...EVERY_ROW, below }
      const before = this.scan({ ...ALL_ROWS, collection: this.#collection, range })
      for (const row of before) if (this.#counts.includes(row.id)) this.#counts.remove(row)
    }
    this.#noteGreatestId(below)
    this.#deleteBelow.run(below)
    this.#cache.clear()
  }

  /** To be called before rows below this id are deleted: notes the greatest id if it goes too. */
  #noteGreatestId(below: number): void {
    if (this.#idSequence === undefined) return
    const greatest = this.#greatest.get() ?? below
    if (greatest >= below) return
    this.#idSequence.beforeDelete(this.#name, greatest)
  }

  scan(scan: Scan): ReadonlyArray<Row> {
    return this.#index(scan.range.index.name).scan(scan)
  }

  count(count: Count): number {
    return this.#index(count.range.index.name).count(count)
  }

  #index(name: string): IndexQueries {
    const queries = this.#indexes.get(name)
    if (queries === undefined) throw new Error(`${this.#name} has no index ${name}`)
    return queries
  }
}

/**
 * The same failure as SQLite's own, which comes later: SQLite goes on with ids beyond the safe
 * integers of JavaScript, and then with any id that is free.
 */
const noIdsLeft = (table: string): Error =>
  new SqliteError(`${table} has no ids left`, primaryCode("FULL"))
