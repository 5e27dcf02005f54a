/** What became of the rows: recorded in the progress file and counted for the report. */
import type { PetStatus } from "@petstore/core"
import type { CheckedRow, Refusal } from "./list/checkRow.js"
import { type Block, type RefusedLine, refusedLine } from "./progress/Checkpoint.js"
import type { Progress } from "./progress/Progress.js"
import type { FoundCategory } from "./service/Service.js"
import type { ListRow } from "./list/ShelterList.js"

/**
 * How many rows are announced at once. A crash leaves up to so many in doubt, and the disk is
 * synced once for so many.
 */
const BLOCK_ROWS = 256

export type CategoryCount = {
  found: FoundCategory | undefined
  readonly statuses: Record<PetStatus, number>
}

export const emptyCount = (): CategoryCount => ({
  found: undefined,
  statuses: { available: 0, pending: 0, sold: 0 }
})

/** Called after each row. */
export type Watcher = { readonly settled: (refused: boolean) => void }

export class Ledger {
  loaded = 0
  loadedBefore = 0
  /** The greatest id of a pet that the import has seen. */
  newestPet = 0
  readonly refused: Array<RefusedLine>
  readonly categories = new Map<string, CategoryCount>()
  readonly #progress: Progress
  readonly #watcher: Watcher
  readonly #blocks: Array<Block>

  constructor(progress: Progress, watcher: Watcher) {
    this.#progress = progress
    this.#watcher = watcher
    this.#blocks = [...progress.checkpoint.blocks]
    this.refused = [...progress.checkpoint.refused]
  }

  /** The last row that may have been sent, 0 if none was. */
  get announced(): number {
    return this.#blocks.at(-1)?.upTo ?? 0
  }

  /** Records durably, before it is sent, that this row may be. */
  announce(row: number): void {
    if (row <= this.announced) return
    const block = { upTo: row + BLOCK_ROWS - 1, newest: this.newestPet }
    this.#progress.announce(block)
    this.#blocks.push(block)
  }

  /** The id that the pets of this row and of later ones are above. */
  petFloor(row: number): number {
    return this.#blocks.find((block) => block.upTo >= row)?.newest ?? 0
  }

  setCategory(name: string, category: FoundCategory): void {
    this.#countOf(name).found = category
  }

  addLoaded(row: CheckedRow, pet: { readonly id: number; readonly status: PetStatus }): void {
    this.#progress.settle({ row: row.number, pet: pet.id, status: pet.status })
    this.newestPet = Math.max(this.newestPet, pet.id)
    this.loaded++
    this.#countOf(row.category).statuses[pet.status]++
    this.#watcher.settled(false)
  }

  addRefused(row: Omit<ListRow, "surplus">, why: Refusal): void {
    const line = refusedLine(row, why)
    this.#progress.settle(line)
    this.refused.push(line)
    this.#watcher.settled(true)
  }

  /** Counts a row that an earlier run loaded. */
  addLoadedBefore(category: string, status: PetStatus): void {
    this.#countOf(category).statuses[status]++
    this.loadedBefore++
  }

  #countOf(name: string): CategoryCount {
    const count = this.categories.get(name) ?? emptyCount()
    this.categories.set(name, count)
    return count
  }
}
