/**
 * The ids of some rows in the order of a sort column, then of id, in chunks. A search is two binary
 * searches, and a change touches one chunk. The first read of a chunk sorts what was added to it.
 */
import type { CowToken } from "../CowToken.js"
import { compareEntries, type IndexEntry, type RowOf } from "./IndexEntry.js"
import type { Interval } from "./Interval.js"
import { CHUNK_CAPACITY, SortedChunk } from "./SortedChunk.js"

/** The number of a chunk and an offset in it, as one number, so that a search allocates nothing. */
type Location = number
const STRIDE = 2 * CHUNK_CAPACITY
const chunkOf = (location: Location): number => Math.floor(location / STRIDE)
const offsetIn = (location: Location): number => location % STRIDE

/** The capacity of the first chunk, which grows as entries are added. */
const INITIAL_CAPACITY = 32

export class SortedIndex {
  readonly #token: CowToken
  readonly #sort: string
  readonly #chunks: Array<SortedChunk>
  /** Head and tail of each chunk's start, so that a search among chunks reads one small array. */
  readonly #starts: Array<number>
  #size: number

  private constructor(
    token: CowToken,
    sort: string,
    chunks: Array<SortedChunk>,
    starts: Array<number>,
    size: number
  ) {
    this.#token = token
    this.#sort = sort
    this.#chunks = chunks
    this.#starts = starts
    this.#size = size
  }

  /** An index of one entry, sorted by a column. */
  static of(token: CowToken, sort: string, entry: IndexEntry): SortedIndex {
    return new SortedIndex(
      token,
      sort,
      [SortedChunk.of(token, sort, entry, INITIAL_CAPACITY)],
      [entry.head, entry.tail],
      1
    )
  }

  get size(): number {
    return this.#size
  }

  writableBy(token: CowToken): SortedIndex {
    if (this.#token === token) return this
    return new SortedIndex(
      token,
      this.#sort,
      this.#chunks.slice(),
      this.#starts.slice(),
      this.#size
    )
  }

  insert(entry: IndexEntry, rowOf: RowOf): void {
    this.#size++
    const index = this.#chunkFor(entry)
    const chunk = this.#writable(index)
    if (chunk === undefined) this.#append(entry)
    else if (chunk.length < CHUNK_CAPACITY) chunk.add(entry)
    else if (index === this.#chunks.length - 1 && chunk.endsBefore(entry)) this.#append(entry)
    else {
      const high = chunk.split(rowOf)
      this.#chunks.splice(index + 1, 0, high)
      this.#starts.splice(2 * index + 2, 0, high.start.head, high.start.tail)
      ;(compareEntries(entry, high.start) < 0 ? chunk : high).add(entry)
    }
  }

  /** Removes an entry, which must be in the index. */
  remove(entry: IndexEntry, rowOf: RowOf): void {
    const index = this.#chunkFor(entry)
    const chunk = this.#writable(index)
    if (chunk?.remove(entry, rowOf) !== true)
      throw new Error(`the index has no entry for the row ${entry.id}`)
    this.#size--
    if (chunk.length > 0) return
    this.#chunks.splice(index, 1)
    this.#starts.splice(2 * index, 2)
  }

  /** At most `limit` ids of the interval, from its lower bound up or from its upper bound down. */
  ids(interval: Interval, descending: boolean, limit: number, rowOf: RowOf): Array<number> {
    const start = this.#locationOf(interval.lower, 0, rowOf)
    const end = this.#locationOf(interval.upper, this.#end, rowOf)
    return descending ? this.#down(start, end, limit, rowOf) : this.#up(start, end, limit, rowOf)
  }

  count(interval: Interval, rowOf: RowOf): number {
    if (interval.lower === null && interval.upper === null) return this.#size
    const start = this.#locationOf(interval.lower, 0, rowOf)
    const end = this.#locationOf(interval.upper, this.#end, rowOf)
    if (end <= start) return 0
    let count = offsetIn(end) - offsetIn(start)
    for (let index = chunkOf(start); index < chunkOf(end); index++)
      count += this.#chunks[index]?.length ?? 0
    return count
  }

  get #end(): Location {
    return this.#chunks.length * STRIDE
  }

  #up(start: Location, end: Location, limit: number, rowOf: RowOf): Array<number> {
    const ids: Array<number> = []
    let offset = offsetIn(start)
    for (
      let index = chunkOf(start);
      index * STRIDE < end && ids.length < limit;
      index++, offset = 0
    ) {
      const chunk = this.#chunks[index]
      if (chunk === undefined) break
      const stop = index === chunkOf(end) ? offsetIn(end) : chunk.length
      chunk.sort(rowOf)
      for (; offset < stop && ids.length < limit; offset++) ids.push(chunk.idAt(offset))
    }
    return ids
  }

  #down(start: Location, end: Location, limit: number, rowOf: RowOf): Array<number> {
    const ids: Array<number> = []
    const first = chunkOf(start)
    for (let index = chunkOf(end); index >= first && ids.length < limit; index--) {
      const chunk = this.#chunks[index]
      if (chunk === undefined) continue
      const stop = index === first ? offsetIn(start) : 0
      let offset = index === chunkOf(end) ? offsetIn(end) : chunk.length
      chunk.sort(rowOf)
      while (--offset >= stop && ids.length < limit) ids.push(chunk.idAt(offset))
    }
    return ids
  }

  #locationOf(bound: IndexEntry | null, otherwise: Location, rowOf: RowOf): Location {
    if (bound === null) return otherwise
    const index = this.#chunkFor(bound)
    const chunk = this.#chunks[index]
    const offset = chunk?.offsetOf(bound, rowOf) ?? 0
    return chunk !== undefined && offset === chunk.length
      ? (index + 1) * STRIDE
      : index * STRIDE + offset
  }

  /** The number of the last chunk that starts at or before the entry; else of the first. */
  #chunkFor(entry: IndexEntry): number {
    const last = this.#chunks.length - 1
    // Ids are counted up, so the last chunk is the likely one.
    if (last <= 0 || !this.#startsAfter(last, entry)) return Math.max(0, last)
    let low = 0
    let high = last - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#startsAfter(middle, entry)) high = middle - 1
      else low = middle
    }
    return low
  }

  #startsAfter(index: number, entry: IndexEntry): boolean {
    const head = this.#starts[2 * index] ?? 0
    if (head !== entry.head) return head > entry.head
    const tail = this.#starts[2 * index + 1] ?? 0
    if (tail !== entry.tail) return tail > entry.tail
    const chunk = this.#chunks[index]
    return chunk !== undefined && compareEntries(chunk.start, entry) > 0
  }

  #append(entry: IndexEntry): void {
    this.#chunks.push(SortedChunk.of(this.#token, this.#sort, entry, CHUNK_CAPACITY))
    this.#starts.push(entry.head, entry.tail)
  }

  #writable(index: number): SortedChunk | undefined {
    const chunk = this.#chunks[index]
    const writable = chunk?.writableBy(this.#token)
    if (writable !== undefined && writable !== chunk) this.#chunks[index] = writable
    return writable
  }
}
