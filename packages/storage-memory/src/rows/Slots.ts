/** The places of a page: each has room for one row. How rows are kept there is the matter of who implements it. */
import type { NewRow, Row } from "@petstore/core"

/** So many places make a page. */
export const PAGE = 1024

export interface Slots {
  /** No row stands at this place or behind it. */
  readonly length: number
  has(offset: number): boolean
  get(offset: number): Row | undefined
  /** Whether the row that stands there has this value in the column. */
  holds(offset: number, column: string, value: unknown): boolean
  /** Stores a new row there as revision 1. Throws, and changes nothing, where a column can't have its value. */
  insert(offset: number, row: NewRow): void
  /** Puts a row that was stored there, in place of what was there before. */
  put(offset: number, row: Row): void
  clear(offset: number): void
  /** The same rows, to be changed apart. */
  copy(): Slots
}
