/**
 * Rows taken apart, each column for itself: all that lives on of a row is a few numbers and references, and nothing that the garbage
 * collector would copy. Who reads a row has it put together again, so this is for what is written all the time and read now and then.
 */
import type { NewRow, Row } from "@petstore/core"
import { type Cells, Numbers, References } from "./Cells.js"
import type { Layout } from "../Layout.js"
import type { Slots } from "./Slots.js"

export class ColumnSlots implements Slots {
  readonly #layout: Layout
  readonly #firstId: number
  readonly #columns: ReadonlyArray<Cells>
  /** Null where no row stands. */
  readonly #revisions: Numbers
  #length: number

  private constructor(
    layout: Layout,
    firstId: number,
    columns: ReadonlyArray<Cells>,
    revisions: Numbers,
    length: number
  ) {
    this.#layout = layout
    this.#firstId = firstId
    this.#columns = columns
    this.#revisions = revisions
    this.#length = length
  }

  static empty(layout: Layout, firstId: number): ColumnSlots {
    const columns = layout.columns.map(({ type }) => (type === "integer" ? new Numbers() : new References()))
    return new ColumnSlots(layout, firstId, columns, new Numbers(), 0)
  }

  get length(): number {
    return this.#length
  }

  has(offset: number): boolean {
    return offset < this.#length && this.#revisions.get(offset) !== null
  }

  get(offset: number): Row | undefined {
    const revision = offset < this.#length ? this.#revisions.get(offset) : null
    if (revision === null) return undefined
    const row = this.#layout.blank(this.#firstId + offset, revision)
    for (let place = 0; place < this.#columns.length; place++)
      row[this.#layout.columns[place]?.name ?? ""] = this.#columns[place]?.get(offset) ?? null
    return Object.freeze(row)
  }

  holds(offset: number, column: string, value: unknown): boolean {
    return this.#columns[this.#layout.placeOf(column)]?.get(offset) === value
  }

  insert(offset: number, row: NewRow): void {
    this.#set(offset, row, 1)
  }

  put(offset: number, row: Row): void {
    this.#set(offset, row, row.revision)
  }

  clear(offset: number): void {
    this.#revisions.set(offset, null)
    for (const column of this.#columns) column.set(offset, null)
  }

  copy(): ColumnSlots {
    return new ColumnSlots(
      this.#layout,
      this.#firstId,
      this.#columns.map((column) => column.copy()),
      this.#revisions.copy(),
      this.#length
    )
  }

  #set(offset: number, row: NewRow, revision: number): void {
    const { columns } = this.#layout
    for (let place = 0; place < columns.length; place++) {
      const column = columns[place]
      if (column !== undefined) this.#columns[place]?.set(offset, this.#layout.valueIn(column, row))
    }
    // Last, so that no row stands there where a column can't have its value.
    while (this.#length < offset) this.#revisions.set(this.#length++, null)
    this.#revisions.set(offset, revision)
    this.#length = Math.max(this.#length, offset + 1)
  }
}
