/** Rows as they are handed out, so that reading one costs nothing but finding it. */
import type { NewRow, Row } from "@petstore/core"
import type { Layout } from "../Layout.js"
import type { Slots } from "./Slots.js"

export class RowSlots implements Slots {
  readonly #layout: Layout
  readonly #firstId: number
  readonly #rows: Array<Row | undefined>

  constructor(layout: Layout, firstId: number, rows: Array<Row | undefined> = []) {
    this.#layout = layout
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
    this.put(offset, this.#layout.stored(row, this.#firstId + offset, 1))
  }

  put(offset: number, row: Row): void {
    while (this.#rows.length < offset) this.#rows.push(undefined)
    this.#rows[offset] = row
  }

  clear(offset: number): void {
    this.#rows[offset] = undefined
  }

  copy(): RowSlots {
    return new RowSlots(this.#layout, this.#firstId, this.#rows.slice())
  }
}
