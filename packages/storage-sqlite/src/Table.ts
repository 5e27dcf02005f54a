/** One collection on one connection: its prepared statements. */
import {
  BY_ID,
  type Collection,
  type Count,
  type NewRow,
  type Row,
  type Scan,
  type Value
} from "@petstore/core"
import type { Statement } from "better-sqlite3"
import { IndexQueries, type Prepare } from "./IndexQueries.js"
import { sqlName } from "./names.js"
import { type Bound, type RowCodec, rowCodec } from "./RowCodec.js"

/** At most so many statements are kept for replacements, one for each set of changed columns. */
const MAX_UPDATES = 200

export class Table {
  /** How often this connection changed a row, whether or not that was committed. */
  changes = 0
  readonly #prepare: Prepare
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #name: string
  readonly #get: Statement
  readonly #insert: Statement
  readonly #remove: Statement
  readonly #updates = new Map<string, Statement>()
  readonly #indexes: ReadonlyMap<string, IndexQueries>

  constructor(prepare: Prepare, collection: Collection<Row>) {
    this.#prepare = prepare
    this.#collection = collection
    this.#codec = rowCodec(collection)
    this.#name = sqlName(collection.name)
    const { columns, selected } = this.#codec
    const given = collection.key === "given" ? ["id", "revision"] : ["revision"]
    const named = [...given, ...columns.map(sqlName)]
    this.#get = prepare(`SELECT ${selected} FROM ${this.#name} WHERE id = ?`).raw()
    this.#insert = prepare(
      `INSERT INTO ${this.#name} (${named.join(", ")}) VALUES (${named.map(() => "?").join(", ")})`
    )
    this.#remove = prepare(`DELETE FROM ${this.#name} WHERE id = ?`)
    this.#indexes = new Map(
      [BY_ID, ...collection.indexes].map((index) => [
        index.name,
        new IndexQueries(prepare, collection, this.#codec, index)
      ])
    )
  }

  get(id: number): Row | undefined {
    const values = this.#get.get(id) as ReadonlyArray<Bound> | undefined
    return values === undefined ? undefined : this.#codec.row(values)
  }

  insert(row: NewRow): Row {
    const { columns, stored } = this.#codec
    const isGiven = this.#collection.key === "given"
    const bound: Array<Bound> = isGiven ? [row.id ?? 0, 1] : [1]
    for (const column of columns) bound.push(stored(column, row[column] ?? null))
    const { lastInsertRowid } = this.#insert.run(bound)
    const inserted: { id: number; revision: number; [column: string]: Value } = {
      id: Number(lastInsertRowid),
      revision: 1
    }
    for (const column of columns) inserted[column] = row[column] ?? null
    return inserted
  }

  put(row: Row, changed: ReadonlyArray<string>): void {
    const bound: Array<Bound> = [row.revision]
    for (const column of changed) bound.push(this.#codec.stored(column, row[column] ?? null))
    bound.push(row.id)
    if (this.#update(changed).run(bound).changes !== 1)
      throw new Error(`put: ${this.#name} has no row ${row.id}`)
  }

  #update(changed: ReadonlyArray<string>): Statement {
    const key = changed.join()
    const known = this.#updates.get(key)
    if (known !== undefined) return known
    if (this.#updates.size >= MAX_UPDATES) this.#updates.clear()
    const assignments = ["revision", ...changed].map((column) => `${sqlName(column)} = ?`).join(", ")
    const statement = this.#prepare(`UPDATE ${this.#name} SET ${assignments} WHERE id = ?`)
    this.#updates.set(key, statement)
    return statement
  }

  remove(id: number): void {
    if (this.#remove.run(id).changes !== 1) throw new Error(`remove: ${this.#name} has no row ${id}`)
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
