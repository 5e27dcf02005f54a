/** Executes the requests of programs on one connection. */
import { type Collection, isWrite, type Request, type Row } from "@petstore/core/storage"
import type { Connection, Query } from "../driver/Driver.js"
import { IdSequence } from "../cache/IdSequence.js"
import type { TransactionCache } from "../cache/TransactionCache.js"
import { Table } from "./Table.js"

export class Tables {
  /** The number of write requests so far, including those that failed. */
  writes = 0
  readonly #tables: ReadonlyMap<string, Table>
  readonly #caches: ReadonlyArray<TransactionCache>
  readonly #dataVersion: Query<number>
  /** `dataVersion()` at the start of the last transaction. The caches are valid for it. */
  #lastDataVersion = Number.NaN

  constructor(file: Connection, collections: ReadonlyArray<Collection<Row>>) {
    this.#dataVersion = file.values("PRAGMA data_version")
    const idSequence = new IdSequence(file)
    const tables = collections.map(
      (each) => [each.name, new Table(file, each, idSequence)] as const
    )
    this.#tables = new Map(tables)
    this.#caches = [idSequence, ...tables.flatMap(([, table]) => table.caches)]
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
        throw new Error(`a reading program can't ${request.op}`)
    }
  }

  /**
   * A number that changes with each commit of another connection, in any process, and never with
   * commits of this one.
   */
  dataVersion(): number {
    return Number(this.#dataVersion.get())
  }

  /** How often this connection changed a row of these collections. */
  changes(collections: ReadonlyArray<Collection<Row>>): number {
    let changes = 0
    for (const { name } of collections) changes += this.#tables.get(name)?.changes ?? 0
    return changes
  }

  /**
   * To be called when a transaction has begun. If another connection has committed since the last
   * one, invalidates all caches and returns true.
   */
  revalidate(): boolean {
    const version = this.dataVersion()
    if (version === this.#lastDataVersion) return false
    this.invalidate()
    this.#lastDataVersion = version
    return true
  }

  /** See `TransactionCache`. */
  releaseSavepoint(): void {
    for (const cache of this.#caches) cache.releaseSavepoint()
  }

  rollBackSavepoint(): void {
    for (const cache of this.#caches) cache.rollBackSavepoint()
  }

  flush(): void {
    for (const cache of this.#caches) cache.flush()
  }

  invalidate(): void {
    for (const cache of this.#caches) cache.invalidate()
  }

  readonly write = (request: Request): unknown => {
    const table = this.#table(request)
    if (isWrite(request)) {
      table.noteWrite()
      this.writes++
    }
    switch (request.op) {
      case "insert":
        return request.returning === false
          ? table.insertOnly(request.row)
          : table.insert(request.row)
      case "get":
        return table.getCached(request.id)
      case "put":
        table.put(request.row, request.changed)
        return request.row
      case "remove":
        return table.remove(request.id)
      case "deleteBelow":
        return table.deleteBelow(request.below)
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
