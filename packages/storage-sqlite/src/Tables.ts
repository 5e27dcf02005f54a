/** Answers the requests of programs on one connection. */
import { type Collection, COLLECTIONS, type Request, type Row } from "@petstore/core"
import type { Prepare } from "./IndexQueries.js"
import { Tallies } from "./Tallies.js"
import { Table } from "./Table.js"

export class Tables {
  /** What is counted of the rows that are written here: stored by whoever commits. */
  readonly tallies = new Tallies()
  readonly #tables: ReadonlyMap<string, Table>

  constructor(prepare: Prepare) {
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    this.#tables = new Map(
      collections.map((collection) => [collection.name, new Table(prepare, collection, this.tallies)])
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

  readonly write = (request: Request): unknown => {
    const table = this.#table(request)
    switch (request.op) {
      case "insert":
        table.changes++
        return table.insert(request.row)
      case "append":
        table.changes++
        return table.append(request.row)
      case "put":
        table.changes++
        table.put(request.row, request.changed)
        return request.row
      case "remove":
        table.changes++
        return table.remove(request.id)
      case "trim":
        table.changes++
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
