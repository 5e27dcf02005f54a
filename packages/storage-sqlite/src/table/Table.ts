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
import { type Bound, type RowCodec, rowCodec } from "../codec/RowCodec.js"
import { countsOf } from "../cache/countsOf.js"
import type { TransactionCache } from "../cache/TransactionCache.js"
import type { CollectionCounts } from "../cache/CollectionCounts.js"
import { Updates } from "./Updates.js"

const IN_FULL = {
  op: "scan",
  descending: false,
  after: null,
  limit: Number.MAX_SAFE_INTEGER
} as const

export class Table {
  /** How often this connection changed a row, whether or not that was committed. */
  changes = 0
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #name: string
  readonly #get: Query<ReadonlyArray<Bound>>
  readonly #insert: Command
  readonly #cache = new RowCache()
  readonly #remove: Command
  readonly #deleteBelow: Command
  readonly #greatest: Query<number | null>
  /** Undefined where none are kept. */
  readonly #counts: CollectionCounts | undefined
  /** Undefined where rows bring their ids. */
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
    const { written, selected } = this.#codec
    this.#get = file.rows(`SELECT ${selected} FROM ${this.#name} WHERE id = ?`)
    const inserted = ["revision", "id", ...written]
    this.#insert = file.command(
      `INSERT INTO ${this.#name} (${inserted.join(", ")})
        VALUES (1${", ?".repeat(inserted.length - 1)})`
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

  /** What is to be told of the events of a transaction. */
  get caches(): ReadonlyArray<TransactionCache> {
    return this.#counts === undefined ? [this.#cache] : [this.#cache, this.#counts]
  }

  /** To be called before a row is changed, inserted or removed. */
  written(): void {
    this.changes++
  }

  get(id: number): Row | undefined {
    const values = this.#get.get(id)
    return values === undefined ? undefined : this.#codec.row(values)
  }

  /** The same under the write lock. */
  getCached(id: number): Row | undefined {
    const held = this.#cache.get(id)
    if (held !== undefined) return held
    const row = this.get(id)
    // A copy: V8 would put all rows that are read, those of lists as well, where it puts what lives
    // long, once most of the first ones did.
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

  /** Inserts, and returns the id alone. */
  insertOnly(row: NewRow): number {
    const next = this.#idSequence === undefined ? (row.id ?? 0) : this.#idSequence.next(this.#name)
    const bound: Array<Bound> = [next]
    for (const encode of this.#codec.stored) bound.push(encode(row))
    const id = this.#insert.run(...bound).lastInsertRowid
    if (id > Number.MAX_SAFE_INTEGER) throw noIdsLeft(this.#name)
    if (next !== null) this.#idSequence?.used(this.#name)
    this.#counts?.inserted(row, id)
    return id
  }

  put(row: Row, changed: ReadonlyArray<string>): void {
    const { statement, encoders, moved } = this.#updates.of(changed)
    const bound: Array<Bound> = [row.revision]
    for (const encode of encoders) bound.push(encode(row))
    bound.push(row.id)
    const before =
      moved.length > 0 && this.#counts?.includes(row.id) === true
        ? this.getCached(row.id)
        : undefined
    if (statement.run(...bound).changes !== 1)
      throw new Error(`put: ${this.#name} has no row ${row.id}`)
    this.#cache.set(row)
    if (before !== undefined) for (const tally of moved) this.#counts?.moved(tally, before, row)
  }

  remove(id: number): void {
    const before = this.#counts?.includes(id) === true ? this.getCached(id) : undefined
    this.#noteLast(id + 1)
    if (this.#remove.run(id).changes !== 1)
      throw new Error(`remove: ${this.#name} has no row ${id}`)
    this.#cache.delete(id)
    if (before !== undefined) this.#counts?.removed(before)
  }

  deleteBelow(below: number): void {
    if (this.#counts !== undefined) {
      const range = { ...EVERY_ROW, below }
      const before = this.scan({ ...IN_FULL, collection: this.#collection, range })
      for (const row of before) if (this.#counts.includes(row.id)) this.#counts.removed(row)
    }
    this.#noteLast(below)
    this.#deleteBelow.run(below)
    this.#cache.clear()
  }

  /** Rows with ids below this one go: with the greatest of all, if that is one of them. */
  #noteLast(below: number): void {
    if (this.#idSequence === undefined) return
    const greatest = this.#greatest.get() ?? below
    if (greatest >= below) return
    this.#idSequence.deleted(this.#name, greatest)
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
 * As SQLite says it, which goes on with ids that are no numbers of JavaScript, and then with any
 * that is free.
 */
const noIdsLeft = (table: string): Error =>
  new SqliteError(`${table} has no ids left`, primaryCode("FULL"))
