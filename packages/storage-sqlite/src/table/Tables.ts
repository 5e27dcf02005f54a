/** Answers the requests of programs on one connection. */
import { type Collection, isWrite, type Request, type Row } from "@petstore/core/storage"
import type { Connection, Query } from "../driver/Driver.js"
import { IdSequence } from "../cache/IdSequence.js"
import type { TransactionCache } from "../cache/TransactionCache.js"
import { Table } from "./Table.js"

export class Tables {
  /** How often anything was written, or attempted to be. */
  writes = 0
  readonly #tables: ReadonlyMap<string, Table>
  readonly #caches: ReadonlyArray<TransactionCache>
  readonly #others: Query<number>
  /** `others()` at the start of the last transaction. What is cached is valid for that version. */
  #othersThen = Number.NaN

  constructor(file: Connection, collections: ReadonlyArray<Collection<Row>>) {
    this.#others = file.values("PRAGMA data_version")
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
        throw new Error(`a program that was run by read can't ${request.op}`)
    }
  }

  /**
   * A number that changes with every commit of another connection, in this process or another, and
   * with none of this one.
   */
  others(): number {
    return Number(this.#others.get())
  }

  /** How often this connection changed a row of these collections. */
  changes(collections: ReadonlyArray<Collection<Row>>): number {
    let changes = 0
    for (const { name } of collections) changes += this.#tables.get(name)?.changes ?? 0
    return changes
  }

  /**
   * A transaction has begun. Answers whether another connection has committed since the last one;
   * nothing that was cached is valid then.
   */
  began(): boolean {
    const others = this.others()
    if (others === this.#othersThen) return false
    this.invalidated()
    this.#othersThen = others
    return true
  }

  /** See `TransactionCache`. */
  partKept(): void {
    for (const cache of this.#caches) cache.partKept()
  }

  partRolledBack(): void {
    for (const cache of this.#caches) cache.partRolledBack()
  }

  committing(): void {
    for (const cache of this.#caches) cache.committing()
  }

  invalidated(): void {
    for (const cache of this.#caches) cache.invalidated()
  }

  readonly write = (request: Request): unknown => {
    const table = this.#table(request)
    if (isWrite(request)) {
      table.written()
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
