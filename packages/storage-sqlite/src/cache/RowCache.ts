/**
 * Rows of a table as the last writing transaction left them. They stay valid until another
 * connection commits. Most orders take from the stock of few pets, and an import asks for the same
 * few categories again and again.
 */
import type { Row } from "@petstore/core/storage"
import type { TransactionCache } from "./TransactionCache.js"

/** The row that was added first is dropped beyond this. */
const MAX_ROWS = 1_024

export class RowCache implements TransactionCache {
  readonly #rows = new Map<number, Row>()

  get(id: number): Row | undefined {
    return this.#rows.get(id)
  }

  set(row: Row): void {
    const { size } = this.#rows.set(row.id, row)
    if (size <= MAX_ROWS) return
    for (const oldest of this.#rows.keys()) {
      this.#rows.delete(oldest)
      return
    }
  }

  delete(id: number): void {
    this.#rows.delete(id)
  }

  readonly clear = (): void => {
    if (this.#rows.size > 0) this.#rows.clear()
  }

  readonly partKept = (): void => undefined
  readonly partRolledBack = this.clear
  readonly committing = (): void => undefined
  readonly invalidated = this.clear
}
