/** Each row as the object that readers get, so that a read only finds it. */
import type { NewRow, Row } from "@petstore/core/storage"
import type { ChunkLayout } from "./ChunkLayout.js"
import type { RowSchema } from "./RowSchema.js"

export class RowLayout implements ChunkLayout {
  readonly #schema: RowSchema
  readonly #firstId: number
  readonly #rows: Array<Row | undefined>

  constructor(schema: RowSchema, firstId: number, rows: Array<Row | undefined> = []) {
    this.#schema = schema
    this.#firstId = firstId
    this.#rows = rows
  }

  get length(): number {
    return this.#rows.length
  }

  has(offset: number): boolean {
    return this.#rows[offset] !== undefined
  }

  get(offset: number): Row | undefined {
    return this.#rows[offset]
  }

  holds(offset: number, column: string, value: unknown): boolean {
    return this.#rows[offset]?.[column] === value
  }

  insert(offset: number, row: NewRow): void {
    this.put(offset, this.#schema.freeze(row, this.#firstId + offset, 1))
  }

  put(offset: number, row: Row): void {
    while (this.#rows.length < offset) this.#rows.push(undefined)
    this.#rows[offset] = row
  }

  clear(offset: number): void {
    this.#rows[offset] = undefined
  }

  copy(): RowLayout {
    return new RowLayout(this.#schema, this.#firstId, this.#rows.slice())
  }
}
