/** A stretch of an ordered list: up to {@link RUN_LIMIT} entries that stand next to each other. */
import type { Value } from "@petstore/core"
import { compareKeys, type Entry } from "./Entry.js"
import type { Owner } from "./Owner.js"

export const RUN_LIMIT = 128

export class Run {
  readonly owner: Owner
  readonly ids: Array<number>
  /** Null, as are the keys, in a list that is sorted by id: there the ids are the heads. */
  readonly #heads: Array<number> | null
  readonly #keys: Array<Value> | null

  private constructor(
    owner: Owner,
    ids: Array<number>,
    heads: Array<number> | null,
    keys: Array<Value> | null
  ) {
    this.owner = owner
    this.ids = ids
    this.#heads = heads
    this.#keys = keys
  }

  static of(owner: Owner, keyed: boolean, { head, key, id }: Entry): Run {
    return new Run(owner, [id], keyed ? [head] : null, keyed ? [key] : null)
  }

  get length(): number {
    return this.ids.length
  }

  get firstHead(): number {
    return this.#headAt(0)
  }

  /** This run if `owner` may change it, else a copy that it may. */
  ownedBy(owner: Owner): Run {
    return this.owner === owner ? this : this.#slice(owner, 0, this.length)
  }

  halves(owner: Owner): readonly [low: Run, high: Run] {
    const middle = this.length >>> 1
    return [this.#slice(owner, 0, middle), this.#slice(owner, middle, this.length)]
  }

  /** Negative, zero or positive as the entry at `offset` stands before, at or behind another. */
  compareAt(offset: number, entry: Entry): number {
    const head = this.#headAt(offset)
    if (head !== entry.head) return head < entry.head ? -1 : 1
    if (this.#keys === null) return 0
    return compareKeys(this.#keys[offset] ?? null, this.ids[offset] ?? 0, entry.key, entry.id)
  }

  /** How many entries stand before this one. */
  offsetOf(entry: Entry): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compareAt(middle, entry) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  insert(offset: number, { head, key, id }: Entry): void {
    insertAt(this.ids, offset, id)
    if (this.#heads !== null) insertAt(this.#heads, offset, head)
    if (this.#keys !== null) insertAt(this.#keys, offset, key)
  }

  remove(offset: number): void {
    this.ids.splice(offset, 1)
    this.#heads?.splice(offset, 1)
    this.#keys?.splice(offset, 1)
  }

  #headAt(offset: number): number {
    return (this.#heads ?? this.ids)[offset] ?? 0
  }

  #slice(owner: Owner, start: number, end: number): Run {
    const heads = this.#heads?.slice(start, end) ?? null
    const keys = this.#keys?.slice(start, end) ?? null
    return new Run(owner, this.ids.slice(start, end), heads, keys)
  }
}

const insertAt = <A>(values: Array<A>, offset: number, value: A): void => {
  if (offset === values.length) values.push(value)
  else values.splice(offset, 0, value)
}
