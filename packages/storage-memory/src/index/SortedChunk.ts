/**
 * Up to {@link CHUNK_CAPACITY} consecutive entries of a sorted index. A write appends its entry,
 * and the next read sorts: to insert at the right offset, each write into a large index would load
 * the entries of a chunk into the processor's cache. A full chunk is split, which does not sort
 * either.
 */
import type { CowToken } from "../CowToken.js"
import type { IndexEntry, RowOf } from "./IndexEntry.js"
import { PackedEntries } from "./PackedEntries.js"
import { PendingEntries } from "./PendingEntries.js"

/** The maximum number of entries in a sorted chunk. */
export const CHUNK_CAPACITY = 1024

/** Shared by all chunks: a sort runs to its end before another one starts. */
const pending = new PendingEntries(CHUNK_CAPACITY)

/** With more sorted entries than this for each pending one, whole stretches move at once. */
const SPARSE_RATIO = 16

/** The number of entries whose median estimates the median of the chunk. */
const SAMPLE_SIZE = 31

export class SortedChunk {
  readonly token: CowToken
  /**
   * No entry of this chunk comes before it, and none of an earlier chunk at or after it. Means
   * nothing in the first chunk of an index.
   */
  readonly start: IndexEntry
  readonly #entries: PackedEntries
  #length: number
  /** The number of leading entries that are sorted. Sorting a shared chunk sorts it for all. */
  #sortedLength: number

  private constructor(
    token: CowToken,
    start: IndexEntry,
    entries: PackedEntries,
    length: number,
    sortedLength: number
  ) {
    this.token = token
    this.start = start
    this.#entries = entries
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
    const entries = PackedEntries.of(sort, capacity)
    const chunk = new SortedChunk(token, { head, tail, key, id }, entries, 0, 0)
    chunk.add(chunk.start)
    return chunk
  }

  get length(): number {
    return this.#length
  }

  /** The id of the entry at `offset`. Call `sort` first. */
  idAt(offset: number): number {
    return this.#entries.idAt(offset)
  }

  /** This chunk if `token` may change it, else a copy that `token` may change. */
  writableBy(token: CowToken): SortedChunk {
    if (this.token === token) return this
    return new SortedChunk(
      token,
      this.start,
      this.#entries.copy(),
      this.#length,
      this.#sortedLength
    )
  }

  /** Keeps the lower half, roughly, and returns a chunk of the upper one. Does not sort. */
  split(rowOf: RowOf): SortedChunk {
    const entries = this.#entries
    const start = this.#middle(rowOf)
    const upper = entries.empty(CHUNK_CAPACITY)
    const high = new SortedChunk(this.token, start, upper, 0, 0)
    const below = this.#search(start, 0, this.#sortedLength, rowOf)
    for (let offset = below; offset < this.#sortedLength; offset++)
      upper.copyFrom(entries, offset, high.#length++)
    high.#sortedLength = high.#length
    let length = below
    for (let offset = this.#sortedLength; offset < this.#length; offset++) {
      if (entries.compareAt(offset, start, rowOf) < 0) entries.copyFrom(entries, offset, length++)
      else high.#append(entries, offset)
    }
    this.#length = length
    this.#sortedLength = below
    return high
  }

  /**
   * Whether the chunk is sorted and ends before the entry. May be false although it does, as it
   * reads no string: the entry is then sorted later.
   */
  endsBefore(entry: IndexEntry): boolean {
    const length = this.#length
    if (this.#sortedLength < length) return false
    return length === 0 || this.#entries.isBefore(length - 1, entry)
  }

  /** The number of entries before this one. */
  offsetOf(entry: IndexEntry, rowOf: RowOf): number {
    this.sort(rowOf)
    return this.#search(entry, 0, this.length, rowOf)
  }

  add(entry: IndexEntry): void {
    if (this.endsBefore(entry)) this.#sortedLength++
    this.#entries.makeRoom(this.#length, CHUNK_CAPACITY)
    this.#entries.put(this.#length++, entry)
  }

  /** Returns whether the entry was there. */
  remove(entry: IndexEntry, rowOf: RowOf): boolean {
    // Sorting for one removal would cost more than a scan of the unsorted ids.
    const candidate = this.#search(entry, 0, this.#sortedLength, rowOf)
    const offset = this.idAt(candidate) === entry.id ? candidate : this.#unsortedOffsetOf(entry.id)
    if (offset >= this.length || this.idAt(offset) !== entry.id) return false
    if (offset < this.#sortedLength) this.#sortedLength--
    this.#entries.move(offset, offset + 1, this.#length)
    this.#length--
    return true
  }

  /** Sorts the appended entries, and merges them into the sorted ones from the end. */
  sort(rowOf: RowOf): void {
    let to = this.length
    let end = this.#sortedLength
    if (end === to) return
    const entries = this.#entries
    pending.clear()
    for (let offset = end; offset < to; offset++) entries.addTo(pending, offset, rowOf)
    pending.sort()
    // Between two of few pending entries is a long stretch, which moves at once.
    const isSparse = pending.length * SPARSE_RATIO < end
    for (let nth = pending.length - 1; nth >= 0; nth--) {
      pending.moveTo(nth)
      if (isSparse) {
        const before = this.#search(pending, 0, end, rowOf)
        to -= end - before
        entries.move(to, before, end)
        end = before
      } else {
        while (end > 0 && entries.compareAt(end - 1, pending, rowOf) > 0)
          entries.copyFrom(entries, --end, --to)
      }
      entries.put(--to, pending)
    }
    pending.clear()
    this.#sortedLength = this.length
  }

  /** The number of entries before this one, which is from `low` to `high`. */
  #search(entry: IndexEntry, low: number, high: number, rowOf: RowOf): number {
    const entries = this.#entries
    while (low < high) {
      const middle = (low + high) >>> 1
      if (entries.compareAt(middle, entry, rowOf) < 0) low = middle + 1
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
    if (this.#sortedLength === this.#length) return this.#entries.entryAt(this.#length >>> 1, rowOf)
    pending.clear()
    for (let nth = 0; nth < SAMPLE_SIZE; nth++)
      this.#entries.addTo(pending, Math.floor((nth * this.#length) / SAMPLE_SIZE), rowOf)
    pending.sort()
    pending.moveTo(SAMPLE_SIZE >>> 1)
    const { head, tail, key, id } = pending
    pending.clear()
    return { head, tail, key, id }
  }

  /** Appends an entry of another chunk. The caller makes sure of the capacity. */
  #append(others: PackedEntries, offset: number): void {
    const length = this.#length
    const isSorted = this.#sortedLength === length
    if (isSorted && (length === 0 || this.#entries.isBeforeOther(length - 1, others, offset)))
      this.#sortedLength++
    this.#entries.copyFrom(others, offset, this.#length++)
  }
}
