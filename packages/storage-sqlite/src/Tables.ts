/** Answers the requests of programs on one connection, by prepared statements. */
import { type Collection, COLLECTIONS, type Count, type Request, type Row, type Scan } from "@petstore/core"
import type { Database, Statement } from "better-sqlite3"
import { sqlName } from "./names.js"
import { type Bound, type RowCodec, rowCodec } from "./RowCodec.js"
import { countQuery, scanQuery, stretches } from "./RangeQuery.js"

const MAX_UPDATES = 200

class Table {
  readonly #file: Database
  readonly #collection: Collection<Row>
  readonly #codec: RowCodec
  readonly #name: string
  readonly #get: Statement
  readonly #insert: Statement
  readonly #remove: Statement
  readonly #updates = new Map<string, Statement>()
  readonly #queries = new Map<string, Statement>()

  constructor(file: Database, collection: Collection<Row>) {
    this.#file = file
    this.#collection = collection
    this.#codec = rowCodec(collection)
    this.#name = sqlName(collection.name)
    const { columns, selected } = this.#codec
    const given = collection.key === "given" ? ["id", "revision"] : ["revision"]
    const named = [...given, ...columns.map(sqlName)]
    this.#get = file.prepare(`SELECT ${selected} FROM ${this.#name} WHERE id = ?`).raw()
    this.#insert = file.prepare(`INSERT INTO ${this.#name} (${named.join(", ")}) VALUES (${named.map(() => "?").join(", ")})`)
    this.#remove = file.prepare(`DELETE FROM ${this.#name} WHERE id = ?`)
  }

  get(id: number): Row | undefined {
    const values = this.#get.get(id) as ReadonlyArray<Bound> | undefined
    return values === undefined ? undefined : this.#codec.row(values)
  }

  insert(row: Row): Row {
    const { columns, bind } = this.#codec
    const bound: Array<Bound> = this.#collection.key === "given" ? [row.id, row.revision] : [row.revision]
    for (const column of columns) bound.push(bind(column, row[column] ?? null))
    const { lastInsertRowid } = this.#insert.run(bound)
    return this.#collection.key === "given" ? row : { ...row, id: Number(lastInsertRowid) }
  }

  put(row: Row, changed: ReadonlyArray<string>): void {
    const set = ["revision", ...changed]
    const bound = set.map((column) => this.#codec.bind(column, row[column] ?? null))
    if (this.#update(set).run(...bound, row.id).changes !== 1) throw new Error(`put: ${this.#name} has no row ${row.id}`)
  }

  #update(set: ReadonlyArray<string>): Statement {
    const key = set.join()
    const known = this.#updates.get(key)
    if (known !== undefined) return known
    if (this.#updates.size >= MAX_UPDATES) this.#updates.clear()
    const assignments = set.map((column) => `${sqlName(column)} = ?`).join(", ")
    const statement = this.#file.prepare(`UPDATE ${this.#name} SET ${assignments} WHERE id = ?`)
    this.#updates.set(key, statement)
    return statement
  }

  remove(id: number): void {
    if (this.#remove.run(id).changes !== 1) throw new Error(`remove: ${this.#name} has no row ${id}`)
  }

  scan(scan: Scan): ReadonlyArray<Row> {
    const rows: Array<Row> = []
    for (const stretch of stretches(this.#collection, scan)) {
      const { sql, bound } = scanQuery(this.#collection, this.#codec, scan, stretch)
      const found = this.#query(sql).all(...bound, scan.limit - rows.length) as ReadonlyArray<ReadonlyArray<Bound>>
      for (const values of found) rows.push(this.#codec.row(values))
      if (rows.length >= scan.limit) break
    }
    return rows
  }

  count({ range }: Count): number {
    let total = 0
    for (const { sql, bound } of countQuery(this.#collection, this.#codec, range)) {
      const [counted] = this.#query(sql).get(...bound) as ReadonlyArray<number>
      total += counted ?? 0
    }
    return total
  }

  /** Statements by their text: as many as there are shapes of ranges, which the collections' indexes bound. */
  #query(sql: string): Statement {
    const known = this.#queries.get(sql)
    if (known !== undefined) return known
    const statement = this.#file.prepare(sql).raw()
    this.#queries.set(sql, statement)
    return statement
  }
}

/** The tables of one connection. */
export class Tables {
  readonly #tables: ReadonlyMap<string, Table>

  constructor(file: Database) {
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    this.#tables = new Map(collections.map((collection) => [collection.name, new Table(file, collection)]))
  }

  readonly read = (request: Request): unknown => {
    const table = this.#table(request)
    switch (request.op) {
      case "get":
        return table.get(request.id)
      case "scan":
        return table.scan(request)
      case "count":
        return table.count(request)
      default:
        throw new Error(`a program that was run by read can't ${request.op}`)
    }
  }

  readonly write = (request: Request): unknown => {
    const table = this.#table(request)
    switch (request.op) {
      case "insert":
        return table.insert(request.row)
      case "put":
        return table.put(request.row, request.changed)
      case "remove":
        return table.remove(request.id)
      default:
        return this.read(request)
    }
  }

  #table({ collection }: Request): Table {
    const table = this.#tables.get(collection.name)
    if (table === undefined) throw new Error(`there is no collection ${collection.name}`)
    return table
  }
}
