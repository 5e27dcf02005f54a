/** The newest changes in memory, so that a thousand readers who are up to date cost one read of the storage. */
import type { Change } from "../shop/change/Change.js"

/** So many are kept at least, once they have been read. */
export const NEWEST = 1_024

export class Newest {
  /** One after the other without a gap, the oldest first. */
  #changes: Array<Change> = []

  /** The sequence of the last one; 0 when there is none. */
  get last(): number {
    return this.#changes.at(-1)?.sequence ?? 0
  }

  /** Takes changes on; what does not follow on what is there replaces it. */
  add(changes: ReadonlyArray<Change>): void {
    if (changes[0] !== undefined && changes[0].sequence !== this.last + 1) this.#changes = []
    this.#changes.push(...changes)
    if (this.#changes.length > 2 * NEWEST) this.#changes = this.#changes.slice(-NEWEST)
  }

  /** At most `limit` changes after that place; undefined where they begin before what is kept here. */
  after(sequence: number, limit: number): ReadonlyArray<Change> | undefined {
    const [first] = this.#changes
    if (first === undefined || sequence + 1 < first.sequence) return undefined
    const from = sequence + 1 - first.sequence
    return this.#changes.slice(from, from + limit)
  }

  forget(): void {
    this.#changes = []
  }
}
