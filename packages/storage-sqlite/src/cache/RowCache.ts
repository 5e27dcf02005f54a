/**
 * Rows of a table as the last writing transaction knew them. As long as nobody else commits they are so still, and reading one again costs nothing: a hundred
 * thousand new pets ask for the same dozen categories, and most orders take from the stock of few pets.
 */
import type { Row } from "@petstore/core"

/** As many are held; the one whose id has been held for longest makes room. */
const MOST = 1_024

export class RowCache {
  readonly #rows = new Map<number, Row>()

  get(id: number): Row | undefined {
    return this.#rows.get(id)
  }

  /** The row is stored as this. */
  hold(row: Row): void {
    const { size } = this.#rows.set(row.id, row)
    if (size <= MOST) return
    for (const oldest of this.#rows.keys()) {
      this.#rows.delete(oldest)
      return
    }
  }

  /** The row goes. */
  drop(id: number): void {
    this.#rows.delete(id)
  }

  /** Any of them may be another by now. */
  forget(): void {
    if (this.#rows.size > 0) this.#rows.clear()
  }
}
