/**
 * Entries to be sorted, in typed arrays: no object for each of them, and no call for most
 * comparisons. It is also a cursor over the sorted entries. Moving it changes this object, so
 * iterating allocates nothing.
 */
import { compareTied, type IndexEntry } from "./IndexEntry.js"

export class PendingEntries implements IndexEntry {
  head = 0.5
  tail = 0.5
  key: string | null = null
  id = 0
  #length = 0
  #hasKeys = false
  readonly #heads: Float64Array
  readonly #tails: Float64Array
  readonly #ids: Float64Array
  readonly #keys: Array<string | null>
  /** The offset of each entry in the arrays above, in sorted order after `sort`. */
  #order: Uint16Array
  /** The target of the next merge. */
  #merged: Uint16Array

  constructor(limit: number) {
    this.#heads = new Float64Array(limit)
    this.#tails = new Float64Array(limit)
    this.#ids = new Float64Array(limit)
    this.#keys = Array.from({ length: limit }, () => null)
    this.#order = new Uint16Array(limit)
    this.#merged = new Uint16Array(limit)
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    if (this.#hasKeys) this.#keys.fill(null)
    this.#hasKeys = false
    this.#length = 0
  }

  add(head: number, tail: number, key: string | null, id: number): void {
    const at = this.#length++
    this.#heads[at] = head
    this.#tails[at] = tail
    this.#ids[at] = id
    this.#order[at] = at
    if (key === null) return
    this.#keys[at] = key
    this.#hasKeys = true
  }

  /** Moves the cursor to the nth entry, from 0. */
  moveTo(nth: number): void {
    const at = this.#order[nth] ?? 0
    this.head = this.#heads[at] ?? 0
    this.tail = this.#tails[at] ?? 0
    this.key = this.#keys[at] ?? null
    this.id = this.#ids[at] ?? 0
  }

  /** Merge sort, from neighbours upwards. */
  sort(): void {
    for (let width = 1; width < this.#length; width *= 2) {
      for (let low = 0; low < this.#length; low += 2 * width)
        this.#merge(low, low + width, low + 2 * width)
      const order = this.#merged
      this.#merged = this.#order
      this.#order = order
    }
  }

  /** Merges the sorted offsets from `low` to `middle` with those from `middle` to `beyond`. */
  #merge(low: number, middle: number, beyond: number): void {
    const end = Math.min(beyond, this.#length)
    const order = this.#order
    const merged = this.#merged
    const heads = this.#heads
    let left = low
    let right = middle
    let to = low
    while (left < middle && right < end) {
      const one = order[left] ?? 0
      const other = order[right] ?? 0
      const head = heads[one] ?? 0
      const otherHead = heads[other] ?? 0
      // Computed as a number instead of branched on: the processor would mispredict half of the
      // branches.
      const isAfter = Number(head === otherHead ? this.#isTiedAfter(one, other) : head > otherHead)
      merged[to++] = one + (other - one) * isAfter
      right += isAfter
      left += 1 - isAfter
    }
    while (left < middle && to < end) merged[to++] = order[left++] ?? 0
    while (right < end) merged[to++] = order[right++] ?? 0
  }

  /** Whether one entry comes after another with the same head. */
  #isTiedAfter(one: number, other: number): boolean {
    const tail = this.#tails[one] ?? 0
    const otherTail = this.#tails[other] ?? 0
    if (tail !== otherTail) return tail > otherTail
    return (
      compareTied(
        this.#keys[one] ?? null,
        this.#ids[one] ?? 0,
        this.#keys[other] ?? null,
        this.#ids[other] ?? 0
      ) > 0
    )
  }
}
