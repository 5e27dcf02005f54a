/**
 * The most recent changes, in memory. Readers that are up to date share one read of the storage.
 */
import type { Change } from "../shop/change/Change.js"

/** At least this many changes stay in memory once they were read. */
export const RECENT_COUNT = 1_024

export class RecentChanges {
  /** Consecutive, oldest first. */
  #changes: Array<Change> = []

  /** The sequence of the last one; 0 when there is none. */
  get last(): number {
    return this.#changes.at(-1)?.sequence ?? 0
  }

  /** Appends changes. Changes that do not follow the last one replace all of them. */
  add(changes: ReadonlyArray<Change>): void {
    if (changes[0] !== undefined && changes[0].sequence !== this.last + 1) this.#changes = []
    this.#changes.push(...changes)
    if (this.#changes.length > 2 * RECENT_COUNT) this.#changes = this.#changes.slice(-RECENT_COUNT)
  }

  /** At most `limit` changes after `sequence`; undefined if the first of them is not in memory. */
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
