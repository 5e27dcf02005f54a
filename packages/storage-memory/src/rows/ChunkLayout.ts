/** How a chunk keeps its rows. A row's offset in the chunk is its id less the chunk's first id. */
import type { NewRow, Row } from "@petstore/core/storage"

/** The number of consecutive ids whose rows are in one chunk. */
export const CHUNK_SIZE = 1024

export interface ChunkLayout {
  /** There is no row at this offset or after it. */
  readonly length: number
  has(offset: number): boolean
  get(offset: number): Row | undefined
  /** Whether the row at the offset has this value in the column. */
  holds(offset: number, column: string, value: unknown): boolean
  /**
   * Stores a new row as revision 1. Throws, and changes nothing, if a column can't have its value.
   */
  insert(offset: number, row: NewRow): void
  /** Stores a row that a table has validated, over the row at the offset if there is one. */
  put(offset: number, row: Row): void
  clear(offset: number): void
  /** An independent layout with the same rows. */
  copy(): ChunkLayout
}
