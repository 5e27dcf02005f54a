/** The entries of a progress file, and the state of the import that they add up to. */
import { PET_STATUSES, type PetStatus } from "@petstore/core"
import type { Refusal } from "../list/checkRow.js"
import type { ListRow } from "../list/ShelterList.js"

export type LoadedRow = { readonly row: number; readonly pet: number; readonly status: PetStatus }
/** Has the cells as in the list. An older progress file has only the name. */
export type RefusedLine = Refusal & {
  readonly row: number
  readonly line: number
  readonly name: string
  readonly category?: string
  readonly status?: string
}

export const refusedLine = (
  { number, line, name, category, status }: Omit<ListRow, "surplus">,
  { code, message }: Refusal
): RefusedLine => ({
  row: number,
  line,
  name: copyOf(name),
  category: copyOf(category),
  ...(status === undefined ? {} : { status: copyOf(status) }),
  code,
  message
})

/**
 * A substring keeps its whole parent string, here a chunk of the file, in memory. A copy does not.
 */
const copyOf = (part: string): string => Buffer.from(part, "utf16le").toString("utf16le")

/**
 * From this entry on, rows up to `upTo` may have been sent. No pet had an id above `newest` then.
 */
export type Block = { readonly upTo: number; readonly newest: number }
export type Entry = Block | LoadedRow | RefusedLine

/** The state in which earlier runs left the import. */
export type Checkpoint = {
  /** The outcome of each row that has one. */
  readonly outcomes: RowOutcomes
  readonly refused: ReadonlyArray<RefusedLine>
  readonly blocks: ReadonlyArray<Block>
  /** The pets that were loaded last, oldest first. */
  readonly lastPets: ReadonlyArray<number>
}

export const checkpointOf = (entries: ReadonlyArray<Entry>, rows: number): Checkpoint => {
  const outcomes = new RowOutcomes(rows)
  const refused: Array<RefusedLine> = []
  const blocks: Array<Block> = []
  const pets: Array<number> = []
  for (const entry of entries) {
    if ("upTo" in entry) blocks.push(entry)
    else if ("pet" in entry) {
      outcomes.set(entry.row, entry.status)
      pets.push(entry.pet)
    } else {
      outcomes.set(entry.row, "refused")
      refused.push(entry)
    }
  }
  return { outcomes, refused, blocks, lastPets: pets.slice(-LAST_PETS) }
}

const LAST_PETS = 100

/** The status that a row was loaded with, or "refused". Uses one byte a row. */
class RowOutcomes {
  readonly #codes: Uint8Array
  constructor(rows: number) {
    this.#codes = new Uint8Array(rows + 1)
  }
  has(row: number): boolean {
    return this.#codes[row] !== 0
  }
  set(row: number, outcome: PetStatus | "refused"): void {
    this.#codes[row] = OUTCOMES.indexOf(outcome) + 1
  }
  get(row: number): PetStatus | "refused" | undefined {
    return OUTCOMES[(this.#codes[row] ?? 0) - 1]
  }
}
const OUTCOMES = [...PET_STATUSES, "refused"] as const
