/**
 * The rows of a collection by id, in chunks. Ids are dense, so a chunk is found by its number and a
 * row by its offset in the chunk.
 */
import type { NewRow, Range, Row } from "@petstore/core/storage"
import type { CowToken } from "../CowToken.js"
import { entryOf } from "../index/IndexEntry.js"
import type { Interval } from "../index/Interval.js"
import { CHUNK_SIZE } from "./ChunkLayout.js"
import { chunkNumberOf, RowChunk } from "./RowChunk.js"
import type { RowSchema } from "./RowSchema.js"

/** What undoes a deletion of all rows below an id. */
export class DeletedChunks {
  readonly chunks: ReadonlyArray<RowChunk>
  /** The first id that had not been deleted before. */
  readonly firstId: number
  /** The number of rows deleted, of which some may be in a chunk that remains. */
  readonly size: number

  constructor(chunks: ReadonlyArray<RowChunk>, firstId: number, size: number) {
    this.chunks = chunks
    this.firstId = firstId
    this.size = size
  }
}

export class RowChunks {
  readonly #token: CowToken
  readonly #schema: RowSchema
  /** In the order of their numbers. Chunks without rows are removed. */
  readonly #chunks: Array<RowChunk>
  #size: number
  /** Rows with a lower id are deleted, though a chunk may still have them. */
  #firstId: number

  private constructor(
    token: CowToken,
    schema: RowSchema,
    chunks: Array<RowChunk>,
    size: number,
    firstId: number
  ) {
    this.#token = token
    this.#schema = schema
    this.#chunks = chunks
    this.#size = size
    this.#firstId = firstId
  }

  static empty(token: CowToken, schema: RowSchema): RowChunks {
    return new RowChunks(token, schema, [], 0, 0)
  }

  writableBy(token: CowToken): RowChunks {
    if (this.#token === token) return this
    return new RowChunks(token, this.#schema, this.#chunks.slice(), this.#size, this.#firstId)
  }

  /**
   * Deletes the rows below an id. No row may be stored below it afterwards. Only whole chunks are
   * freed; later calls skip the rows that remain in the first chunk.
   */
  deleteBelow(id: number): DeletedChunks {
    const firstId = Math.max(id, this.#firstId)
    const size = this.count({ lower: null, upper: entryOf("id", firstId, firstId) })
    const deleted = new DeletedChunks(
      this.#chunks.splice(0, this.#indexOf(chunkNumberOf(firstId))),
      this.#firstId,
      size
    )
    this.#firstId = firstId
    this.#size -= size
    return deleted
  }

  /** Undoes the last `deleteBelow`. Every later write must have been undone before. */
  undo(deleted: DeletedChunks): void {
    this.#chunks.unshift(...deleted.chunks)
    this.#firstId = deleted.firstId
    this.#size += deleted.size
  }

  get(id: number): Row | undefined {
    const number = chunkNumberOf(id)
    const chunk = this.#chunks[this.#indexOf(number)]
    return chunk?.number === number && id >= this.#firstId
      ? chunk.layout.get(chunk.offsetOf(id))
      : undefined
  }

  has(id: number): boolean {
    const number = chunkNumberOf(id)
    const chunk = this.#chunks[this.#indexOf(number)]
    return chunk?.number === number && id >= this.#firstId && chunk.layout.has(chunk.offsetOf(id))
  }

  /** Stores a new row under an id that no row has. */
  insert(id: number, row: NewRow): void {
    const chunk = this.#writableChunk(chunkNumberOf(id))
    chunk.layout.insert(chunk.offsetOf(id), row)
    chunk.size++
    this.#size++
  }

  /** Stores a row that a table has validated, over the row with its id if there is one. */
  put(row: Row): void {
    const chunk = this.#writableChunk(chunkNumberOf(row.id))
    const offset = chunk.offsetOf(row.id)
    const isNew = !chunk.layout.has(offset)
    chunk.layout.put(offset, row)
    if (!isNew) return
    chunk.size++
    this.#size++
  }

  /** Removes a row, which must exist. */
  delete(id: number): void {
    const index = this.#indexOf(chunkNumberOf(id))
    const chunk = this.#writable(index)
    if (chunk === undefined) return
    chunk.layout.clear(chunk.offsetOf(id))
    this.#size--
    if (--chunk.size === 0) this.#chunks.splice(index, 1)
  }

  /** At most `limit` rows of the interval whose columns have the values of the range's prefix. */
  scan(
    { index: { on }, prefix }: Pick<Range, "index" | "prefix">,
    interval: Interval,
    descending: boolean,
    limit: number
  ): Array<Row> {
    const from = Math.max(interval.lower?.id ?? 0, this.#firstId)
    const to = interval.upper?.id ?? Number.POSITIVE_INFINITY
    const rows: Array<Row> = []
    const take = ({ layout }: RowChunk, offset: number): void => {
      for (let at = 0; at < on.length; at++)
        if (!layout.holds(offset, on[at] ?? "", prefix[at])) return
      const row = layout.get(offset)
      if (row !== undefined) rows.push(row)
    }
    if (descending) {
      for (let index = this.#lastBefore(to); index >= 0 && rows.length < limit; index--) {
        const chunk = this.#chunks[index]
        if (chunk === undefined || (chunk.number + 1) * CHUNK_SIZE <= from) break
        const [first, end] = chunk.offsetsOf(from, to)
        for (let offset = end - 1; offset >= first && rows.length < limit; offset--)
          take(chunk, offset)
      }
    } else {
      for (let index = this.#indexOf(chunkNumberOf(from)); rows.length < limit; index++) {
        const chunk = this.#chunks[index]
        if (chunk === undefined || chunk.number * CHUNK_SIZE >= to) break
        const [first, end] = chunk.offsetsOf(from, to)
        for (let offset = first; offset < end && rows.length < limit; offset++) take(chunk, offset)
      }
    }
    return rows
  }

  count(interval: Interval): number {
    if (interval.lower === null && interval.upper === null) return this.#size
    const from = Math.max(interval.lower?.id ?? 0, this.#firstId)
    const to = interval.upper?.id ?? Number.POSITIVE_INFINITY
    let count = 0
    for (let index = this.#indexOf(chunkNumberOf(from)); ; index++) {
      const chunk = this.#chunks[index]
      if (chunk === undefined || chunk.number * CHUNK_SIZE >= to) return count
      count += chunk.count(from, to)
    }
  }

  /** The position of the chunk with this number, or where it would be inserted. */
  #indexOf(number: number): number {
    const chunks = this.#chunks
    // Chunks are usually consecutive: from number 0, or after a `deleteBelow` from the first one.
    if (number < chunks.length && chunks[number]?.number === number) return number
    const guess = number - (chunks[0]?.number ?? 0)
    if (guess >= 0 && guess < chunks.length && chunks[guess]?.number === number) return guess
    let low = 0
    let high = Math.min(chunks.length, number + 1)
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((chunks[middle]?.number ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  #lastBefore(id: number): number {
    return id === Number.POSITIVE_INFINITY
      ? this.#chunks.length - 1
      : Math.min(this.#indexOf(chunkNumberOf(id)), this.#chunks.length - 1)
  }

  /** The chunk with this number, for changes; a new one if there is none. */
  #writableChunk(number: number): RowChunk {
    const index = this.#indexOf(number)
    const chunk = this.#writable(index)
    if (chunk?.number === number) return chunk
    const added = RowChunk.empty(this.#token, this.#schema, number)
    this.#chunks.splice(index, 0, added)
    return added
  }

  #writable(index: number): RowChunk | undefined {
    const chunk = this.#chunks[index]
    const writable = chunk?.writableBy(this.#token)
    if (writable !== undefined && writable !== chunk) this.#chunks[index] = writable
    return writable
  }
}
