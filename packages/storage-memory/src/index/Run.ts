/**
 * A stretch of an ordered list: up to {@link RUN_LIMIT} entries between two places. They are put in order when somebody reads them: what
 * is added meanwhile is at the end of one array, where the entries of a large list would have to be brought into the cache to find
 * its place and make room. Where there is no room for more the run is split, which puts nothing in order either.
 */
import { valueOf } from "@petstore/core"
import { Batch } from "./Batch.js"
import { compareTied, type Entry, entryOf, isWhole, keyOf, type RowOf } from "./Entry.js"
import type { Owner } from "../Owner.js"
import { longer, RUN_LIMIT } from "./Room.js"

/** What is being put in order: one run at a time, and nothing else runs meanwhile. */
const batch = new Batch(RUN_LIMIT)

/** Where one of so many entries is new, they are few. */
const SPARSE = 16

/** So many entries tell well enough where the middle of all of them is. */
const SAMPLED = 31

/** Sorted by id an entry is its id alone, else head, tail and id. */
const widthOf = (sort: string): 1 | 3 => (sort === "id" ? 1 : 3)

export class Run {
  readonly owner: Owner
  /** No entry of this run stands before it, nor one of an earlier run at or behind it. Of the first run of a list it says nothing. */
  readonly start: Entry
  readonly #sort: string
  /** How many numbers an entry is. The garbage collector has no use for numbers. */
  readonly #width: 1 | 3
  #numbers: Float64Array
  #length: number
  /** So many entries, from the first one on, are in order. Who shares the run may put it in order for all. */
  #ordered: number

  private constructor(
    owner: Owner,
    sort: string,
    start: Entry,
    numbers: Float64Array,
    length: number,
    ordered: number
  ) {
    this.owner = owner
    this.start = start
    this.#sort = sort
    this.#width = widthOf(sort)
    this.#numbers = numbers
    this.#length = length
    this.#ordered = ordered
  }

  /** A run of one entry, with room for so many. */
  static of(owner: Owner, sort: string, { head, tail, key, id }: Entry, room: number): Run {
    const numbers = new Float64Array(room * widthOf(sort))
    const run = new Run(owner, sort, { head, tail, key, id }, numbers, 0, 0)
    run.add(run.start)
    return run
  }

  get length(): number {
    return this.#length
  }

  /** The id of the entry at `offset`, once the run was put in order. */
  idAt(offset: number): number {
    return this.#numbers[offset * this.#width + this.#width - 1] ?? 0
  }

  /** This run if `owner` may change it, else a copy that it may. */
  ownedBy(owner: Owner): Run {
    if (this.owner === owner) return this
    return new Run(owner, this.#sort, this.start, this.#numbers.slice(), this.#length, this.#ordered)
  }

  /** Keeps the lower entries, about half of them, and returns a run of the others. What is in no order stays so: it is merely told apart. */
  split(rowOf: RowOf): Run {
    const start = this.#middle(rowOf)
    const high = new Run(this.owner, this.#sort, start, new Float64Array(RUN_LIMIT * this.#width), 0, 0)
    const below = this.#search(start, 0, this.#ordered, rowOf)
    for (let offset = below; offset < this.#ordered; offset++) high.#take(this, offset)
    high.#ordered = high.#length
    let length = below
    for (let offset = this.#ordered; offset < this.#length; offset++) {
      if (this.#compareAt(offset, start, rowOf) < 0) this.#copy(this, offset, length++)
      else high.#take(this, offset)
    }
    this.#length = length
    this.#ordered = below
    return high
  }

  /** Whether all of its entries are in order and stand before this one. Looks at no text: false is right as well, and merely has the entry put in order later. */
  endsBefore({ head, tail, id }: Entry): boolean {
    return this.#endsBefore(head, tail, id)
  }

  /** How many entries stand before this one. */
  offsetOf(entry: Entry, rowOf: RowOf): number {
    this.order(rowOf)
    return this.#search(entry, 0, this.length, rowOf)
  }

  add(entry: Entry): void {
    const length = this.#length
    if (this.endsBefore(entry)) this.#ordered++
    if (length * this.#width === this.#numbers.length)
      this.#numbers = longer(this.#numbers, RUN_LIMIT * this.#width)
    this.#put(length, entry)
    this.#length++
  }

  /** Whether the entry was there. */
  remove(entry: Entry, rowOf: RowOf): boolean {
    // To put the run in order for this alone would cost more than to look at the ids of those that are not.
    const place = this.#search(entry, 0, this.#ordered, rowOf)
    const offset = this.idAt(place) === entry.id ? place : this.#firstAdded(entry.id)
    if (offset >= this.length || this.idAt(offset) !== entry.id) return false
    if (offset < this.#ordered) this.#ordered--
    this.#numbers.copyWithin(offset * this.#width, (offset + 1) * this.#width, this.#length * this.#width)
    this.#length--
    return true
  }

  /** Puts the entries in order: sorts those that were added, and merges them with the others from the last one on. */
  order(rowOf: RowOf): void {
    let to = this.length
    let end = this.#ordered
    if (end === to) return
    batch.clear()
    for (let offset = end; offset < to; offset++) this.#addTo(batch, offset, rowOf)
    batch.sort()
    const width = this.#width
    // Those between two of few move at once; those between two of many are a few at most.
    const areFew = batch.length * SPARSE < end
    for (let place = batch.length - 1; place >= 0; place--) {
      batch.moveTo(place)
      if (areFew) {
        const before = this.#search(batch, 0, end, rowOf)
        to -= end - before
        this.#numbers.copyWithin(to * width, before * width, end * width)
        end = before
      } else {
        while (end > 0 && this.#compareAt(end - 1, batch, rowOf) > 0) this.#copy(this, --end, --to)
      }
      this.#put(--to, batch)
    }
    batch.clear()
    this.#ordered = this.length
  }

  /** How many entries stand before this one, where at least `low` and at most `high` do. */
  #search(entry: Entry, low: number, high: number, rowOf: RowOf): number {
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compareAt(middle, entry, rowOf) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Where the entry with this id is among those that were added since the run was in order. */
  #firstAdded(id: number): number {
    let offset = this.#ordered
    while (offset < this.#length && this.idAt(offset) !== id) offset++
    return offset
  }

  /** An entry that about half of the others stand before: the middle one of some of them, as far from each other as can be. */
  #middle(rowOf: RowOf): Entry {
    if (this.#ordered === this.#length) return this.#entryAt(this.#length >>> 1, rowOf)
    batch.clear()
    for (let nth = 0; nth < SAMPLED; nth++)
      this.#addTo(batch, Math.floor((nth * this.#length) / SAMPLED), rowOf)
    batch.sort()
    batch.moveTo(SAMPLED >>> 1)
    const { head, tail, key, id } = batch
    batch.clear()
    return { head, tail, key, id }
  }

  /** Adds the entry that another run has at `offset`. There is room for it. */
  #take(other: Run, offset: number): void {
    const from = offset * this.#width
    const head = other.#numbers[from] ?? 0
    const tail = other.#numbers[from + 1] ?? 0
    if (this.#endsBefore(head, tail, other.idAt(offset))) this.#ordered++
    this.#copy(other, offset, this.#length)
    this.#length++
  }

  /** Sorted by id, an entry has no other numbers, and those given are not looked at. */
  #endsBefore(head: number, tail: number, id: number): boolean {
    if (this.#ordered < this.#length) return false
    if (this.#length === 0) return true
    const last = (this.#length - 1) * this.#width
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

  #addTo(batch: Batch, offset: number, rowOf: RowOf): void {
    const id = this.idAt(offset)
    if (this.#width === 1) return batch.add(id, 0, null, id)
    const tail = this.#numbers[offset * 3 + 1] ?? 0
    batch.add(this.#numbers[offset * 3] ?? 0, tail, this.#keyOf(tail, id, rowOf), id)
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

  /** Puts the entry that a run has at `from`, this one or another, to a place of this one. */
  #copy(other: Run, from: number, to: number): void {
    const width = this.#width
    for (let at = 0; at < width; at++) this.#numbers[to * width + at] = other.#numbers[from * width + at] ?? 0
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
