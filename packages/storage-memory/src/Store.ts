/** All tables of one store, made as programs first name their collections. */
import type { Collection, Row } from "@petstore/core"
import { Table } from "./Table.js"

export class Store {
  readonly #tables: Map<string, Table>

  constructor(tables = new Map<string, Table>()) {
    this.#tables = tables
  }

  table(collection: Collection<Row>): Table {
    let table = this.#tables.get(collection.name)
    if (table === undefined) {
      table = Table.empty(collection)
      this.#tables.set(collection.name, table)
    }
    return table
  }

  /** A store with the same rows; from now on the two change apart. Costs the same however many rows there are. */
  fork(): Store {
    const tables = new Map<string, Table>()
    for (const [name, table] of this.#tables) tables.set(name, table.fork())
    return new Store(tables)
  }
}
