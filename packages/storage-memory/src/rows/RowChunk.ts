/** The rows of {@link CHUNK_SIZE} consecutive ids. */
import type { CowToken } from "../CowToken.js"
import { CHUNK_SIZE, type ChunkLayout } from "./ChunkLayout.js"
import { ColumnLayout } from "./ColumnLayout.js"
import { RowLayout } from "./RowLayout.js"
import type { RowSchema } from "./RowSchema.js"

/** The number of the chunk that has an id. */
export const chunkNumberOf = (id: number): number => Math.floor(id / CHUNK_SIZE)

export class RowChunk {
  readonly token: CowToken
  readonly number: number
  readonly layout: ChunkLayout
  /** The number of rows. */
  size: number

  private constructor(token: CowToken, number: number, layout: ChunkLayout, size: number) {
    this.token = token
    this.number = number
    this.layout = layout
    this.size = size
  }

  static empty(token: CowToken, schema: RowSchema, number: number): RowChunk {
    const firstId = number * CHUNK_SIZE
    const layout = schema.isSeldomRead
      ? ColumnLayout.empty(schema, firstId)
      : new RowLayout(schema, firstId)
    return new RowChunk(token, number, layout, 0)
  }

  /** This chunk if `token` may change it, else a copy that `token` may change. */
  writableBy(token: CowToken): RowChunk {
    return this.token === token
      ? this
      : new RowChunk(token, this.number, this.layout.copy(), this.size)
  }

  offsetOf(id: number): number {
    return id - this.number * CHUNK_SIZE
  }

  /** The offsets of ids from `from` to below `to`. */
  offsetsOf(from: number, to: number): readonly [first: number, end: number] {
    return [Math.max(0, this.offsetOf(from)), Math.min(this.layout.length, this.offsetOf(to))]
  }

  count(from: number, to: number): number {
    if (from <= this.number * CHUNK_SIZE && (this.number + 1) * CHUNK_SIZE <= to) return this.size
    let count = 0
    const [first, end] = this.offsetsOf(from, to)
    for (let offset = first; offset < end; offset++) if (this.layout.has(offset)) count++
    return count
  }
}
