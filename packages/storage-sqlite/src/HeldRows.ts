/**
 * Rows that a writing transaction has read of a table that it has not written. It has the write lock, so nobody else changes them, and reading one again costs
 * nothing: a hundred thousand new pets ask for the same dozen categories.
 */
import type { Row } from "@petstore/core"

/** As many as are worth looking for; a program that reads more of them reads them once. */
const MOST = 64

export class HeldRows {
  readonly #rows = new Map<number, Row>()
  #isWritten = false

  get(id: number): Row | undefined {
    return this.#rows.get(id)
  }

  keep(row: Row): void {
    if (!this.#isWritten && this.#rows.size < MOST) this.#rows.set(row.id, row)
  }

  /** The transaction has written the table: what it reads of it is read anew, to its end. */
  written(): void {
    if (this.#isWritten) return
    this.#isWritten = true
    this.#rows.clear()
  }

  /** Another transaction begins, or a part of this one was undone. */
  forget(): void {
    this.#isWritten = false
    if (this.#rows.size > 0) this.#rows.clear()
  }
}
