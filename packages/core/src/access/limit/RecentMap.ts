/**
 * A map of bounded size that forgets what was not touched for longest, roughly and at no cost:
 * entries live in two generations, and when the young one is full it becomes the old one, and the
 * old one is gone.
 */
export class RecentMap<K, V> {
  readonly #half: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  /**
   * What was among the last `capacity / 2` different entries that were touched is certainly there.
   */
  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2)
  }

  /** The value of a key, which is thereby touched. */
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

  /** Forgets all that `keep` does not hold for. */
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

  /** How many entries take up room: one that was touched in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size
  }
}
