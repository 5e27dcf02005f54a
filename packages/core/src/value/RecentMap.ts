/**
 * A map of bounded size that approximates LRU eviction. Entries live in two generations: when the
 * young one is full, it becomes the old one, and the previous old one is dropped.
 */
export class RecentMap<K, V> {
  readonly #half: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  /** The last `capacity / 2` distinct entries that were used are always present. */
  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2)
  }

  /** The value of a key. Marks it as used. */
  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** Removes every entry for which `keep` is false. */
  retain(keep: (value: V) => boolean): void {
    for (const generation of [this.#young, this.#old]) {
      for (const [key, value] of generation) if (!keep(value)) generation.delete(key)
    }
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  /** Every value once. */
  *values(): Generator<V> {
    yield* this.#young.values()
    for (const [key, value] of this.#old) if (!this.#young.has(key)) yield value
  }

  /** The number of stored entries. An entry in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size
  }
}
