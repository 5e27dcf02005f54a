/**
 * What became of the rows of an import: the entries of its progress file, and what they come to.
 */
import { PET_STATUSES, type PetStatus } from "@petstore/core"
import type { Refusal } from "./checkRow.js"
import type { ListRow } from "./ShelterList.js"

export type Loaded = { readonly row: number; readonly pet: number; readonly status: PetStatus }
/** With the cells as the list has them; an older progress file has the name alone. */
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
 * V8 keeps the whole text that a part was taken from, here the piece of the file, for as long as
 * the part.
 */
const copyOf = (part: string): string => Buffer.from(part, "utf16le").toString("utf16le")

/**
 * Rows up to `upTo` may have been sent from here on; no pet had an id above `newest` at that time.
 */
export type Block = { readonly upTo: number; readonly newest: number }
export type Entry = Block | Loaded | RefusedLine

/** What earlier runs came to. */
export type Past = {
  /** By row: the status it was loaded with, "refused", or absent. */
  readonly outcomes: Outcomes
  readonly refused: ReadonlyArray<RefusedLine>
  readonly blocks: ReadonlyArray<Block>
  /** The last pets that were loaded, oldest first. */
  readonly lastPets: ReadonlyArray<number>
}

export const pastOf = (entries: ReadonlyArray<Entry>, rows: number): Past => {
  const outcomes = new Outcomes(rows)
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

/** One byte a row. */
export class Outcomes {
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
