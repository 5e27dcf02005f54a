/** What the program that runs has written, so that all of it can be taken back. */
import type { Table, Undone } from "./Table.js"

/** Room for so many notes is kept for the next program. Room for more is given back: it may be an import's. */
const KEPT = 64

/** In place of a note that has been let go of. */
const NOTHING = 0

/** Notes lie side by side in two arrays: a transaction may be tens of thousands of writes, and then an object for each is felt. */
export class UndoLog {
  #tables: Array<Table> = []
  #undone: Array<Undone> = []
  #length = 0

  /** Forgets what was written: it stays. What a note holds is let go of, as it may be all that a trim has cut off. */
  clear(): void {
    if (this.#length > KEPT) {
      this.#tables = []
      this.#undone = []
    } else this.#undone.fill(NOTHING, 0, this.#length)
    this.#length = 0
  }

  note(table: Table, undone: Undone): void {
    this.#tables[this.#length] = table
    this.#undone[this.#length] = undone
    this.#length++
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
