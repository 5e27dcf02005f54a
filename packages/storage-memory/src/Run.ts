/** A stretch of an ordered list: up to {@link RUN_LIMIT} entries that stand next to each other. */
import type { Value } from "@petstore/core"
import type { Owner } from "./Owner.js"
import { compareEntries } from "./SortKey.js"

export const RUN_LIMIT = 512

export class Run {
  readonly owner: Owner
  /** The sort keys, or null in a list that is sorted by id alone. */
  readonly keys: Array<Value> | null
  readonly ids: Array<number>

  constructor(owner: Owner, keys: Array<Value> | null, ids: Array<number>) {
    this.owner = owner
    this.keys = keys
    this.ids = ids
  }

  get length(): number {
    return this.ids.length
  }

  /** This run if `owner` may change it, else a copy that it may. */
  ownedBy(owner: Owner): Run {
    return this.owner === owner ? this : this.slice(owner, 0, this.length)
  }

  slice(owner: Owner, start: number, end: number): Run {
    return new Run(owner, this.keys === null ? null : this.keys.slice(start, end), this.ids.slice(start, end))
  }

  /** As {@link compareEntries}, for the entry at `offset` and an entry (key, id). */
  compareAt(offset: number, key: Value, id: number): number {
    return compareEntries(this.#keyAt(offset), this.ids[offset] ?? 0, key, id)
  }

  /** How many entries stand before (key, id). */
  offsetOf(key: Value, id: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compareAt(middle, key, id) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  insert(offset: number, key: Value, id: number): void {
    if (offset === this.length) {
      this.ids.push(id)
      this.keys?.push(key)
    } else {
      this.ids.splice(offset, 0, id)
      this.keys?.splice(offset, 0, key)
    }
  }

  remove(offset: number): void {
    this.ids.splice(offset, 1)
    this.keys?.splice(offset, 1)
  }

  #keyAt(offset: number): Value {
    return this.keys === null ? null : (this.keys[offset] ?? null)
  }
}
