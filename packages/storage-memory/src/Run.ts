/**
 * A stretch of an ordered list: up to {@link RUN_LIMIT} entries between two places. They are put in order when somebody reads them
 * or there is no room for more: what is added meanwhile is at the end of one array, where the entries of a large list would have to be
 * brought into the cache to find its place and make room.
 */
import { valueOf } from "@petstore/core"
import { compareEntries, compareTied, type Entry, entryOf, isWhole, keyOf, type RowOf } from "./Entry.js"
import type { Owner } from "./Owner.js"

export const RUN_LIMIT = 512

export class Run {
  readonly owner: Owner
  /** No entry of this run stands before it, nor one of an earlier run at or behind it. Of the first run of a list it says nothing. */
  readonly start: Entry
  readonly #sort: string
  /** How many numbers an entry is: sorted by id its id alone, else head, tail and id. The garbage collector has no use for numbers. */
  readonly #width: 1 | 3
  readonly #numbers: Array<number>
  /** So many entries, from the first one on, are in order. Who shares the run may put it in order for all. */
  #ordered: number

  private constructor(owner: Owner, sort: string, start: Entry, numbers: Array<number>, ordered: number) {
    this.owner = owner
    this.start = start
    this.#sort = sort
    this.#width = sort === "id" ? 1 : 3
    this.#numbers = numbers
    this.#ordered = ordered
  }

  static of(owner: Owner, sort: string, entry: Entry): Run {
    return new Run(owner, sort, entry, sort === "id" ? [entry.id] : [entry.head, entry.tail, entry.id], 1)
  }

  get length(): number {
    return this.#numbers.length / this.#width
  }

  /** The id of the entry at `offset`, once the run was put in order. */
  idAt(offset: number): number {
    return this.#numbers[offset * this.#width + this.#width - 1] ?? 0
  }

  /** This run if `owner` may change it, else a copy that it may. */
  ownedBy(owner: Owner): Run {
    if (this.owner === owner) return this
    return new Run(owner, this.#sort, this.start, this.#numbers.slice(), this.#ordered)
  }

  /** Two runs in place of this one. */
  halves(owner: Owner, rowOf: RowOf): readonly [low: Run, high: Run] {
    this.order(rowOf)
    const middle = this.length >>> 1
    const cut = middle * this.#width
    const start = this.#entryAt(middle, rowOf)
    return [
      new Run(owner, this.#sort, this.start, this.#numbers.slice(0, cut), middle),
      new Run(owner, this.#sort, start, this.#numbers.slice(cut), this.length - middle)
    ]
  }

  /** Whether all of its entries stand before this one. */
  standsBefore(entry: Entry, rowOf: RowOf): boolean {
    this.order(rowOf)
    return this.#compareAt(this.length - 1, entry, rowOf) < 0
  }

  /** How many entries stand before this one. */
  offsetOf(entry: Entry, rowOf: RowOf): number {
    this.order(rowOf)
    return this.#offsetAmong(this.length, entry, rowOf)
  }

  /** How many of the first `length` entries, which are in order, stand before this one. */
  #offsetAmong(length: number, entry: Entry, rowOf: RowOf): number {
    let low = 0
    let high = length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compareAt(middle, entry, rowOf) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  add(entry: Entry): void {
    const { length } = this
    if (this.#ordered === length && (length === 0 || this.#endsBefore(entry))) this.#ordered++
    if (this.#width === 1) this.#numbers.push(entry.id)
    else this.#numbers.push(entry.head, entry.tail, entry.id)
  }

  /** Whether the entry was there. */
  remove(entry: Entry, rowOf: RowOf): boolean {
    // To put the run in order for this alone would cost more than to look at each id.
    const offset = this.#ordered === this.length ? this.offsetOf(entry, rowOf) : this.#firstWith(entry.id)
    if (offset >= this.length || this.idAt(offset) !== entry.id) return false
    if (offset < this.#ordered) this.#ordered--
    this.#numbers.splice(offset * this.#width, this.#width)
    return true
  }

  /** Puts the entries in order: sorts those that were added, and from the last one on makes room for each where it belongs. */
  order(rowOf: RowOf): void {
    if (this.#ordered === this.length) return
    const added: Array<Entry> = []
    for (let offset = this.#ordered; offset < this.length; offset++) added.push(this.#entryAt(offset, rowOf))
    added.sort(compareEntries)
    let end = this.#ordered
    let to = this.length
    for (let entry = added.pop(); entry !== undefined; entry = added.pop()) {
      const offset = this.#offsetAmong(end, entry, rowOf)
      while (end > offset) this.#copy(--end, --to)
      this.#put(--to, entry)
    }
    this.#ordered = this.length
  }

  #firstWith(id: number): number {
    let offset = 0
    while (offset < this.length && this.idAt(offset) !== id) offset++
    return offset
  }

  /** Without a look at any text: false is right as well, and merely has the entry put in order later. */
  #endsBefore({ head, tail, id }: Entry): boolean {
    const last = this.#numbers.length - this.#width
    const lastHead = this.#numbers[last] ?? 0
    if (this.#width === 1) return lastHead < id
    const lastTail = this.#numbers[last + 1] ?? 0
    if (lastHead !== head || lastTail !== tail)
      return lastHead < head || (lastHead === head && lastTail < tail)
    return isWhole(tail) && (this.#numbers[last + 2] ?? 0) < id
  }

  /** Negative, zero or positive as the entry at `offset` stands before, at or behind another. */
  #compareAt(offset: number, entry: Entry, rowOf: RowOf): number {
    const id = this.idAt(offset)
    if (this.#width === 1) return id - entry.id
    const head = this.#numbers[offset * 3] ?? 0
    if (head !== entry.head) return head < entry.head ? -1 : 1
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    if (tail !== entry.tail) return tail < entry.tail ? -1 : 1
    return compareTied(this.#keyOf(tail, id, rowOf), id, entry.key, entry.id)
  }

  #entryAt(offset: number, rowOf: RowOf): Entry {
    const id = this.idAt(offset)
    if (this.#width === 1) return entryOf("id", id, id)
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    return { head: this.#numbers[offset * 3] ?? 0, tail, key: this.#keyOf(tail, id, rowOf), id }
  }

  #keyOf(tail: number, id: number, rowOf: RowOf): string | null {
    return isWhole(tail) ? null : keyOf(valueOf(rowOf(id), this.#sort))
  }

  #copy(from: number, to: number): void {
    const width = this.#width
    for (let at = 0; at < width; at++) this.#numbers[to * width + at] = this.#numbers[from * width + at] ?? 0
  }

  #put(offset: number, { head, tail, id }: Entry): void {
    const at = offset * this.#width
    if (this.#width === 3) {
      this.#numbers[at] = head
      this.#numbers[at + 1] = tail
    }
    this.#numbers[at + this.#width - 1] = id
  }
}
