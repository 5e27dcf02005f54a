/**
 * Index entries as numbers side by side: head, tail and id, or in an index sorted by id the id
 * alone. The whole string of an entry is in its row, which is read only where head and tail do not
 * decide. The garbage collector neither scans nor copies typed arrays.
 */
import { valueOf } from "@petstore/core/storage"
import {
  compareTied,
  entryOf,
  type IndexEntry,
  isComplete,
  keyOf,
  type RowOf
} from "./IndexEntry.js"
import type { PendingEntries } from "./PendingEntries.js"

export class PackedEntries {
  readonly #sort: string
  /** The numbers per entry. */
  readonly #width: 1 | 3
  #numbers: Float64Array

  private constructor(sort: string, width: 1 | 3, numbers: Float64Array) {
    this.#sort = sort
    this.#width = width
    this.#numbers = numbers
  }

  /** Room for this many entries of an index sorted by a column. */
  static of(sort: string, capacity: number): PackedEntries {
    const width = sort === "id" ? 1 : 3
    return new PackedEntries(sort, width, new Float64Array(capacity * width))
  }

  /** Room for this many entries of the same index. */
  empty(capacity: number): PackedEntries {
    return PackedEntries.of(this.#sort, capacity)
  }

  copy(): PackedEntries {
    return new PackedEntries(this.#sort, this.#width, this.#numbers.slice())
  }

  /** Doubles the capacity, up to `limit`, if there is no room at `offset`. */
  makeRoom(offset: number, limit: number): void {
    if (offset * this.#width < this.#numbers.length) return
    const grown = new Float64Array(Math.min(2 * this.#numbers.length, limit * this.#width))
    grown.set(this.#numbers)
    this.#numbers = grown
  }

  idAt(offset: number): number {
    return this.#numbers[offset * this.#width + this.#width - 1] ?? 0
  }

  entryAt(offset: number, rowOf: RowOf): IndexEntry {
    const id = this.idAt(offset)
    if (this.#width === 1) return entryOf("id", id, id)
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    return { head: this.#numbers[offset * 3] ?? 0, tail, key: this.#keyOf(tail, id, rowOf), id }
  }

  addTo(pending: PendingEntries, offset: number, rowOf: RowOf): void {
    const id = this.idAt(offset)
    if (this.#width === 1) return pending.add(id, 0, null, id)
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    pending.add(this.#numbers[offset * 3] ?? 0, tail, this.#keyOf(tail, id, rowOf), id)
  }

  put(offset: number, { head, tail, id }: IndexEntry): void {
    const at = offset * this.#width
    if (this.#width === 3) {
      this.#numbers[at] = head
      this.#numbers[at + 1] = tail
    }
    this.#numbers[at + this.#width - 1] = id
  }

  /** Copies an entry of these or of others to the offset `to`. */
  copyFrom(others: PackedEntries, from: number, to: number): void {
    const width = this.#width
    for (let at = 0; at < width; at++)
      this.#numbers[to * width + at] = others.#numbers[from * width + at] ?? 0
  }

  /** Moves the entries from `start` to `end`, which may overlap with their new place. */
  move(to: number, start: number, end: number): void {
    const width = this.#width
    this.#numbers.copyWithin(to * width, start * width, end * width)
  }

  /**
   * Negative, zero or positive as the entry at `offset` comes before, is at or comes after another.
   */
  compareAt(offset: number, entry: IndexEntry, rowOf: RowOf): number {
    const id = this.idAt(offset)
    if (this.#width === 1) return id - entry.id
    const head = this.#numbers[offset * 3] ?? 0
    if (head !== entry.head) return head < entry.head ? -1 : 1
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    if (tail !== entry.tail) return tail < entry.tail ? -1 : 1
    return compareTied(this.#keyOf(tail, id, rowOf), id, entry.key, entry.id)
  }

  /**
   * Whether the entry at `offset` comes before another. May be false although it does, as it reads
   * no string.
   */
  isBefore(offset: number, { head, tail, id }: IndexEntry): boolean {
    return this.#isBefore(offset, head, tail, id)
  }

  /** The same for the entry that others have at the offset `at`. */
  isBeforeOther(offset: number, others: PackedEntries, at: number): boolean {
    const from = at * this.#width
    const head = others.#numbers[from] ?? 0
    const tail = others.#numbers[from + 1] ?? 0
    return this.#isBefore(offset, head, tail, others.idAt(at))
  }

  /** In an index sorted by id, `head` and `tail` are ignored. */
  #isBefore(offset: number, head: number, tail: number, id: number): boolean {
    const own = offset * this.#width
    const ownHead = this.#numbers[own] ?? 0
    if (this.#width === 1) return ownHead < id
    const ownTail = this.#numbers[own + 1] ?? 0
    if (ownHead !== head || ownTail !== tail)
      return ownHead < head || (ownHead === head && ownTail < tail)
    return isComplete(tail) && (this.#numbers[own + 2] ?? 0) < id
  }

  #keyOf(tail: number, id: number, rowOf: RowOf): string | null {
    return isComplete(tail) ? null : keyOf(valueOf(rowOf(id), this.#sort))
  }
}
