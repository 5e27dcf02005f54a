/** What the program that runs has written, so that all of it can be taken back. */
import type { Row } from "@petstore/core"
import type { Table } from "./Table.js"

type Op = "insert" | "put" | "remove"

/** Room for so many notes is kept for the next program. Room for more is given back: it may be an import's. */
const KEPT = 64

/** Notes lie side by side in three arrays: a transaction may be tens of thousands of writes, and then an object for each is felt. */
export class UndoLog {
  #tables: Array<Table> = []
  #ops: Array<Op> = []
  #rows: Array<Row> = []
  #length = 0

  /** Forgets what was written: it stays. */
  clear(): void {
    if (this.#length > KEPT) {
      this.#tables = []
      this.#ops = []
      this.#rows = []
    }
    this.#length = 0
  }

  /** The row is the one that was inserted, or the one that was there before. */
  note(table: Table, op: Op, row: Row): void {
    this.#tables[this.#length] = table
    this.#ops[this.#length] = op
    this.#rows[this.#length] = row
    this.#length++
  }

  /** Takes back everything that was written, the last first. */
  rollBack(): void {
    while (this.#length > 0) {
      const last = --this.#length
      const table = this.#tables[last]
      const row = this.#rows[last]
      if (table === undefined || row === undefined) continue
      if (this.#ops[last] === "insert") table.undoInsert(row.id)
      else if (this.#ops[last] === "put") table.undoPut(row)
      else table.undoRemove(row)
    }
  }
}
