/**
 * Entries that are put in order all at once: numbers side by side, no object for each, and no call for most comparisons. Who goes through
 * them has the batch stand at one place after the other, and is it the entry that is there.
 */
import { compareTied, type Entry } from "./Entry.js"

export class Batch implements Entry {
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
  /** Which of them stands at each place. */
  #order: Uint16Array
  /** Where the next merge puts them. */
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

  /** Has no entry from now on. */
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

  /** Stands at a place from now on. */
  moveTo(place: number): void {
    const at = this.#order[place] ?? 0
    this.head = this.#heads[at] ?? 0
    this.tail = this.#tails[at] ?? 0
    this.key = this.#keys[at] ?? null
    this.id = this.#ids[at] ?? 0
  }

  /** Puts the entries in order: merges neighbours, then pairs of them, and so on. */
  sort(): void {
    for (let width = 1; width < this.#length; width *= 2) {
      for (let low = 0; low < this.#length; low += 2 * width) this.#merge(low, low + width, low + 2 * width)
      const order = this.#merged
      this.#merged = this.#order
      this.#order = order
    }
  }

  /** Merges the places from `low` on with those from `middle` on. */
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
      // As a number, so that what is merged is worked out and not jumped to: the processor would guess every other jump wrong.
      const isBehind = Number(head === otherHead ? this.#isTiedBehind(one, other) : head > otherHead)
      merged[to++] = one + (other - one) * isBehind
      right += isBehind
      left += 1 - isBehind
    }
    while (left < middle && to < end) merged[to++] = order[left++] ?? 0
    while (right < end) merged[to++] = order[right++] ?? 0
  }

  /** Whether one entry stands behind another that has the same head. */
  #isTiedBehind(one: number, other: number): boolean {
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
