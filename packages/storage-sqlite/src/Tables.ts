/** Answers the requests of programs on one connection. */
import { type Collection, COLLECTIONS, isWrite, type Request, type Row } from "@petstore/core"
import type { Prepare } from "./IndexQueries.js"
import { LastIds } from "./LastIds.js"
import { Tallies } from "./Tallies.js"
import { Table } from "./Table.js"

export class Tables {
  /** What is counted of the rows that are written here: stored by whoever commits. */
  readonly tallies = new Tallies()
  /** Ids that the rows don't tell of any more. */
  readonly lastIds: LastIds
  /** How often anything was written, or attempted to be. */
  writes = 0
  readonly #tables: ReadonlyMap<string, Table>

  constructor(prepare: Prepare) {
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    this.lastIds = new LastIds(prepare)
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

  /** How often this connection changed a row of these collections. */
  changes(collections: ReadonlyArray<Collection<Row>>): number {
    let changes = 0
    for (const { name } of collections) changes += this.#tables.get(name)?.changes ?? 0
    return changes
  }

  /** Puts in what was inserted and waits for more. What can't be stored is thrown now, whoever inserted it. */
  readonly flush = (): void => {
    for (const table of this.#tables.values()) table.flush()
  }

  /** Forgets what waits or was read, since another transaction begins, or a part of this one was undone. */
  forget(): void {
    this.lastIds.forget()
    for (const table of this.#tables.values()) table.forget()
  }

  readonly write = (request: Request): unknown => {
    const table = this.#table(request)
    if (isWrite(request)) {
      table.written()
      this.writes++
    }
    if (request.op === "insert") return table.insert(request.row)
    if (request.op === "append") return table.append(request.row)
    table.flush()
    switch (request.op) {
      case "get":
        return table.getHeld(request.id)
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
