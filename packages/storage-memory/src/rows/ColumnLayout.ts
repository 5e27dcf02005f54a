/**
 * Rows stored column by column: a row is a few numbers and references, and no object that the
 * garbage collector would copy. A read assembles the row anew, so this suits rows that are written
 * often and read rarely.
 */
import type { NewRow, Row } from "@petstore/core/storage"
import type { ChunkLayout } from "./ChunkLayout.js"
import { type Column, NumberColumn, ReferenceColumn } from "./Column.js"
import type { RowSchema } from "./RowSchema.js"

export class ColumnLayout implements ChunkLayout {
  readonly #schema: RowSchema
  readonly #firstId: number
  readonly #columns: ReadonlyArray<Column>
  /** Null where there is no row. */
  readonly #revisions: NumberColumn
  #length: number

  private constructor(
    schema: RowSchema,
    firstId: number,
    columns: ReadonlyArray<Column>,
    revisions: NumberColumn,
    length: number
  ) {
    this.#schema = schema
    this.#firstId = firstId
    this.#columns = columns
    this.#revisions = revisions
    this.#length = length
  }

  static empty(schema: RowSchema, firstId: number): ColumnLayout {
    const columns = schema.columns.map(({ type }) =>
      type === "integer" ? new NumberColumn() : new ReferenceColumn()
    )
    return new ColumnLayout(schema, firstId, columns, new NumberColumn(), 0)
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
    const row = this.#schema.blank(this.#firstId + offset, revision)
    for (let number = 0; number < this.#columns.length; number++)
      row[this.#schema.columns[number]?.name ?? ""] = this.#columns[number]?.get(offset) ?? null
    return Object.freeze(row)
  }

  holds(offset: number, column: string, value: unknown): boolean {
    return this.#columns[this.#schema.numberOf(column)]?.get(offset) === value
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

  copy(): ColumnLayout {
    return new ColumnLayout(
      this.#schema,
      this.#firstId,
      this.#columns.map((column) => column.copy()),
      this.#revisions.copy(),
      this.#length
    )
  }

  #set(offset: number, row: NewRow, revision: number): void {
    const { columns } = this.#schema
    for (let number = 0; number < columns.length; number++) {
      const column = columns[number]
      if (column !== undefined)
        this.#columns[number]?.set(offset, this.#schema.valueIn(column, row))
    }
    // Last, so that there is no row here if a column can't have its value and throws.
    while (this.#length < offset) this.#revisions.set(this.#length++, null)
    this.#revisions.set(offset, revision)
    this.#length = Math.max(this.#length, offset + 1)
  }
}
