/**
 * Up to {@link CHUNK_CAPACITY} consecutive entries of a sorted index. A write appends its entry,
 * and the next read sorts: to insert at the right offset, each write into a large index would load
 * the entries of a chunk into the processor's cache. A full chunk is split, which does not sort
 * either.
 */
import { valueOf } from "@petstore/core/storage"
import type { CowToken } from "../CowToken.js"
import { CHUNK_CAPACITY, grow } from "./capacity.js"
import {
  compareTied,
  entryOf,
  type IndexEntry,
  isComplete,
  keyOf,
  type RowOf
} from "./IndexEntry.js"
import { PendingEntries } from "./PendingEntries.js"

/** Shared by all chunks: a sort runs to its end before another one starts. */
const pending = new PendingEntries(CHUNK_CAPACITY)

/** With more sorted entries than this for each pending one, whole stretches move at once. */
const SPARSE_RATIO = 16

/** The number of entries whose median estimates the median of the chunk. */
const SAMPLE_SIZE = 31

/** The numbers per entry: only the id in an index sorted by id, else head, tail and id. */
const widthOf = (sort: string): 1 | 3 => (sort === "id" ? 1 : 3)

export class SortedChunk {
  readonly token: CowToken
  /**
   * No entry of this chunk comes before it, and none of an earlier chunk at or after it. Means
   * nothing in the first chunk of an index.
   */
  readonly start: IndexEntry
  readonly #sort: string
  readonly #width: 1 | 3
  #numbers: Float64Array
  #length: number
  /** The number of leading entries that are sorted. Sorting a shared chunk sorts it for all. */
  #sortedLength: number

  private constructor(
    token: CowToken,
    sort: string,
    start: IndexEntry,
    numbers: Float64Array,
    length: number,
    sortedLength: number
  ) {
    this.token = token
    this.start = start
    this.#sort = sort
    this.#width = widthOf(sort)
    this.#numbers = numbers
    this.#length = length
    this.#sortedLength = sortedLength
  }

  /** A chunk of one entry, with capacity for this many. */
  static of(
    token: CowToken,
    sort: string,
    { head, tail, key, id }: IndexEntry,
    capacity: number
  ): SortedChunk {
    const numbers = new Float64Array(capacity * widthOf(sort))
    const chunk = new SortedChunk(token, sort, { head, tail, key, id }, numbers, 0, 0)
    chunk.add(chunk.start)
    return chunk
  }

  get length(): number {
    return this.#length
  }

  /** The id of the entry at `offset`. Call `sort` first. */
  idAt(offset: number): number {
    return this.#numbers[offset * this.#width + this.#width - 1] ?? 0
  }

  /** This chunk if `token` may change it, else a copy that `token` may change. */
  writableBy(token: CowToken): SortedChunk {
    if (this.token === token) return this
    return new SortedChunk(
      token,
      this.#sort,
      this.start,
      this.#numbers.slice(),
      this.#length,
      this.#sortedLength
    )
  }

  /** Keeps the lower half, roughly, and returns a chunk of the upper one. Does not sort. */
  split(rowOf: RowOf): SortedChunk {
    const start = this.#middle(rowOf)
    const high = new SortedChunk(
      this.token,
      this.#sort,
      start,
      new Float64Array(CHUNK_CAPACITY * this.#width),
      0,
      0
    )
    const below = this.#search(start, 0, this.#sortedLength, rowOf)
    for (let offset = below; offset < this.#sortedLength; offset++) high.#append(this, offset)
    high.#sortedLength = high.#length
    let length = below
    for (let offset = this.#sortedLength; offset < this.#length; offset++) {
      if (this.#compareAt(offset, start, rowOf) < 0) this.#copy(this, offset, length++)
      else high.#append(this, offset)
    }
    this.#length = length
    this.#sortedLength = below
    return high
  }

  /**
   * Whether the chunk is sorted and ends before the entry. May be false although it does, as it
   * reads no string: the entry is then sorted later.
   */
  endsBefore({ head, tail, id }: IndexEntry): boolean {
    return this.#endsBefore(head, tail, id)
  }

  /** The number of entries before this one. */
  offsetOf(entry: IndexEntry, rowOf: RowOf): number {
    this.sort(rowOf)
    return this.#search(entry, 0, this.length, rowOf)
  }

  add(entry: IndexEntry): void {
    const length = this.#length
    if (this.endsBefore(entry)) this.#sortedLength++
    if (length * this.#width === this.#numbers.length)
      this.#numbers = grow(this.#numbers, CHUNK_CAPACITY * this.#width)
    this.#put(length, entry)
    this.#length++
  }

  /** Returns whether the entry was there. */
  remove(entry: IndexEntry, rowOf: RowOf): boolean {
    // Sorting for one removal would cost more than a scan of the unsorted ids.
    const candidate = this.#search(entry, 0, this.#sortedLength, rowOf)
    const offset = this.idAt(candidate) === entry.id ? candidate : this.#unsortedOffsetOf(entry.id)
    if (offset >= this.length || this.idAt(offset) !== entry.id) return false
    if (offset < this.#sortedLength) this.#sortedLength--
    this.#numbers.copyWithin(
      offset * this.#width,
      (offset + 1) * this.#width,
      this.#length * this.#width
    )
    this.#length--
    return true
  }

  /** Sorts the appended entries, and merges them into the sorted ones from the end. */
  sort(rowOf: RowOf): void {
    let to = this.length
    let end = this.#sortedLength
    if (end === to) return
    pending.clear()
    for (let offset = end; offset < to; offset++) this.#addTo(pending, offset, rowOf)
    pending.sort()
    const width = this.#width
    // Between two of few pending entries is a long stretch, which moves at once.
    const isSparse = pending.length * SPARSE_RATIO < end
    for (let nth = pending.length - 1; nth >= 0; nth--) {
      pending.moveTo(nth)
      if (isSparse) {
        const before = this.#search(pending, 0, end, rowOf)
        to -= end - before
        this.#numbers.copyWithin(to * width, before * width, end * width)
        end = before
      } else {
        while (end > 0 && this.#compareAt(end - 1, pending, rowOf) > 0)
          this.#copy(this, --end, --to)
      }
      this.#put(--to, pending)
    }
    pending.clear()
    this.#sortedLength = this.length
  }

  /** The number of entries before this one, which is from `low` to `high`. */
  #search(entry: IndexEntry, low: number, high: number, rowOf: RowOf): number {
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compareAt(middle, entry, rowOf) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The offset of an id among the unsorted entries; the chunk's length if it is not there. */
  #unsortedOffsetOf(id: number): number {
    let offset = this.#sortedLength
    while (offset < this.#length && this.idAt(offset) !== id) offset++
    return offset
  }

  /** An entry near the median: the median itself if the chunk is sorted, else that of a sample. */
  #middle(rowOf: RowOf): IndexEntry {
    if (this.#sortedLength === this.#length) return this.#entryAt(this.#length >>> 1, rowOf)
    pending.clear()
    for (let nth = 0; nth < SAMPLE_SIZE; nth++)
      this.#addTo(pending, Math.floor((nth * this.#length) / SAMPLE_SIZE), rowOf)
    pending.sort()
    pending.moveTo(SAMPLE_SIZE >>> 1)
    const { head, tail, key, id } = pending
    pending.clear()
    return { head, tail, key, id }
  }

  /** Appends the entry of another chunk at `offset`. The caller makes sure of the capacity. */
  #append(other: SortedChunk, offset: number): void {
    const from = offset * this.#width
    const head = other.#numbers[from] ?? 0
    const tail = other.#numbers[from + 1] ?? 0
    if (this.#endsBefore(head, tail, other.idAt(offset))) this.#sortedLength++
    this.#copy(other, offset, this.#length)
    this.#length++
  }

  /** In a chunk of ids alone, `head` and `tail` are ignored. */
  #endsBefore(head: number, tail: number, id: number): boolean {
    if (this.#sortedLength < this.#length) return false
    if (this.#length === 0) return true
    const last = (this.#length - 1) * this.#width
    const lastHead = this.#numbers[last] ?? 0
    if (this.#width === 1) return lastHead < id
    const lastTail = this.#numbers[last + 1] ?? 0
    if (lastHead !== head || lastTail !== tail)
      return lastHead < head || (lastHead === head && lastTail < tail)
    return isComplete(tail) && (this.#numbers[last + 2] ?? 0) < id
  }

  /**
   * Negative, zero or positive as the entry at `offset` comes before, is at or comes after another.
   */
  #compareAt(offset: number, entry: IndexEntry, rowOf: RowOf): number {
    const id = this.idAt(offset)
    if (this.#width === 1) return id - entry.id
    const head = this.#numbers[offset * 3] ?? 0
    if (head !== entry.head) return head < entry.head ? -1 : 1
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    if (tail !== entry.tail) return tail < entry.tail ? -1 : 1
    return compareTied(this.#keyOf(tail, id, rowOf), id, entry.key, entry.id)
  }

  #addTo(pending: PendingEntries, offset: number, rowOf: RowOf): void {
    const id = this.idAt(offset)
    if (this.#width === 1) return pending.add(id, 0, null, id)
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    pending.add(this.#numbers[offset * 3] ?? 0, tail, this.#keyOf(tail, id, rowOf), id)
  }

  #entryAt(offset: number, rowOf: RowOf): IndexEntry {
    const id = this.idAt(offset)
    if (this.#width === 1) return entryOf("id", id, id)
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    return { head: this.#numbers[offset * 3] ?? 0, tail, key: this.#keyOf(tail, id, rowOf), id }
  }

  #keyOf(tail: number, id: number, rowOf: RowOf): string | null {
    return isComplete(tail) ? null : keyOf(valueOf(rowOf(id), this.#sort))
  }

  /**
   * Copies the entry of a chunk, this one or another, from its offset `from` to `to` in this one.
   */
  #copy(other: SortedChunk, from: number, to: number): void {
    const width = this.#width
    for (let at = 0; at < width; at++)
      this.#numbers[to * width + at] = other.#numbers[from * width + at] ?? 0
  }

  #put(offset: number, { head, tail, id }: IndexEntry): void {
    const at = offset * this.#width
    if (this.#width === 3) {
      this.#numbers[at] = head
      this.#numbers[at + 1] = tail
    }
    this.#numbers[at + this.#width - 1] = id
  }
}
