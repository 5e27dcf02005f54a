/** The writes of the running program, so that they can be undone. */
import type { Table, UndoRecord } from "./Table.js"

/**
 * The records whose capacity is kept for the next program. Larger arrays, of an import, are freed.
 */
const RETAINED_CAPACITY = 64

/**
 * Two arrays instead of an object for each write: a transaction may have tens of thousands of them.
 */
export class UndoLog {
  #tables: Array<Table> = []
  #records: Array<UndoRecord> = []
  #length = 0
  /** Whether a record may reference deleted chunks, which are freed at the next `clear`. */
  #hasDeletedChunks = false

  /** Forgets all writes, which are then permanent. */
  clear(): void {
    if (this.#length > RETAINED_CAPACITY || this.#hasDeletedChunks) {
      this.#tables = []
      this.#records = []
      this.#hasDeletedChunks = false
    }
    this.#length = 0
  }

  add(table: Table, record: UndoRecord): void {
    this.#tables[this.#length] = table
    this.#records[this.#length] = record
    this.#length++
  }

  addDeletion(table: Table, records: ReadonlyArray<UndoRecord>): void {
    for (const record of records) this.add(table, record)
    this.#hasDeletedChunks = true
  }

  /** Undoes all writes, the last one first. */
  rollBack(): void {
    while (this.#length > 0) {
      const last = --this.#length
      const record = this.#records[last]
      if (record !== undefined) this.#tables[last]?.undo(record)
    }
  }
}
