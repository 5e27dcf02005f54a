/** All tables of a store. A table is created when a program first names its collection. */
import type { Collection, Row } from "@petstore/core/storage"
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

  /** An independent store with the same rows. Costs the same for any number of rows. */
  fork(): Store {
    const tables = new Map<string, Table>()
    for (const [name, table] of this.#tables) tables.set(name, table.fork())
    return new Store(tables)
  }
}
