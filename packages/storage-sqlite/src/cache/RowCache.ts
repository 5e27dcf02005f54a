/**
 * Caches the rows that the last writing transaction read or wrote. They are valid until another
 * connection commits. It pays off because most orders are for a few pets, and an import reads the
 * same few categories again and again.
 */
import type { Row } from "@petstore/core/storage"
import type { TransactionCache } from "./TransactionCache.js"

/** Beyond this, the oldest row is evicted. */
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

  readonly releaseSavepoint = (): void => undefined
  readonly rollBackSavepoint = this.clear
  readonly flush = (): void => undefined
  readonly invalidate = this.clear
}
