/** What the program that runs has written, so that all of it can be taken back. */
import type { Table, Undone } from "./Table.js"

/** Room for so many notes is kept for the next program. Room for more is given back: it may be an import's. */
const KEPT = 64

/** Notes lie side by side in two arrays: a transaction may be tens of thousands of writes, and then an object for each is felt. */
export class UndoLog {
  #tables: Array<Table> = []
  #undone: Array<Undone> = []
  #length = 0
  /** Whether a note may hold all that a trim has cut off, which is not kept until another takes its place. */
  #holdsTrim = false

  /** Forgets what was written: it stays. */
  clear(): void {
    if (this.#length > KEPT || this.#holdsTrim) {
      this.#tables = []
      this.#undone = []
      this.#holdsTrim = false
    }
    this.#length = 0
  }

  note(table: Table, undone: Undone): void {
    this.#tables[this.#length] = table
    this.#undone[this.#length] = undone
    this.#length++
  }

  noteTrim(table: Table, undone: ReadonlyArray<Undone>): void {
    for (const each of undone) this.note(table, each)
    this.#holdsTrim = true
  }

  /** Takes back everything that was written, the last first. */
  rollBack(): void {
    while (this.#length > 0) {
      const last = --this.#length
      const undone = this.#undone[last]
      if (undone !== undefined) this.#tables[last]?.undo(undone)
    }
  }
}
