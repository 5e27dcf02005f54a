/** Answers the requests of programs on one connection. */
import { type Collection, COLLECTIONS, isWrite, type Request, type Row } from "@petstore/core"
import type { Statement } from "better-sqlite3"
import type { Prepare } from "./IndexQueries.js"
import { IdSequence } from "../cache/IdSequence.js"
import { Counts } from "../cache/Counts.js"
import { Table } from "./Table.js"

export class Tables {
  readonly tallies = new Counts()
  /** Ids that the rows don't tell of any more. */
  readonly idSequence: IdSequence
  /** How often anything was written, or attempted to be. */
  writes = 0
  readonly #tables: ReadonlyMap<string, Table>
  /** Tables that rows may wait for. */
  readonly #unflushed = new Set<Table>()
  readonly #others: Statement
  /** What `others` told when the last transaction began: what is known of the rows is of then. */
  #othersThen = Number.NaN

  constructor(prepare: Prepare) {
    this.#others = prepare("PRAGMA data_version").pluck()
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    this.idSequence = new IdSequence(prepare)
    this.#tables = new Map(
      collections.map((collection) => [collection.name, new Table(prepare, collection, this)])
    )
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

  /** A number that changes with every commit of another connection, in this process or another, and with none of this one. */
  others(): number {
    return Number(this.#others.get())
  }

  /** How often this connection changed a row of these collections. */
  changes(collections: ReadonlyArray<Collection<Row>>): number {
    let changes = 0
    for (const { name } of collections) changes += this.#tables.get(name)?.changes ?? 0
    return changes
  }

  /** Puts in what was inserted and waits for more. What can't be stored is thrown now, whoever inserted it. */
  readonly flush = (): void => {
    for (const table of this.#unflushed) table.flush()
    this.#unflushed.clear()
  }

  /** A transaction has begun: what is known of the rows is so still, unless others have committed since, which it answers. */
  begun(): boolean {
    const others = this.others()
    if (others === this.#othersThen) return false
    this.undone()
    this.#othersThen = others
    return true
  }

  /** A part of the transaction stays. */
  kept(): void {
    this.tallies.keep()
  }

  /** A part of the transaction was undone. */
  partUndone(): void {
    this.tallies.undo()
    this.#forget()
  }

  /** Writes what is counted of the rows that were written: to be called before the commit. */
  store(): void {
    this.tallies.store()
  }

  /** The transaction is undone, or others have written before it began: nothing is known of the rows. */
  undone(): void {
    this.tallies.forget()
    this.#forget()
  }

  /** Forgets what waits, and which rows and ids there are. */
  #forget(): void {
    this.idSequence.forget()
    this.#unflushed.clear()
    for (const table of this.#tables.values()) table.forget()
  }

  readonly write = (request: Request): unknown => {
    const table = this.#table(request)
    if (isWrite(request)) {
      table.written()
      this.writes++
    }
    if (request.op === "insert" || request.op === "append") {
      this.#unflushed.add(table)
      return request.op === "insert" ? table.insert(request.row) : table.append(request.row)
    }
    table.flush()
    switch (request.op) {
      case "get":
        return table.getCached(request.id)
      case "put":
        table.put(request.row, request.changed)
        return request.row
      case "remove":
        return table.remove(request.id)
      case "trim":
        return table.trim(request.below)
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
