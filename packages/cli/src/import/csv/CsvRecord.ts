/** Builds one record of a CSV file in bounded memory. Cells that are not needed are dropped. */

export type CsvRecord = {
  /** The first line of the record, from 1. */
  readonly line: number
  /** The last line of the record. */
  readonly lastLine: number
  /** Without white space around them. Dropped cells are empty. */
  readonly cells: ReadonlyArray<string>
  /** The number of cells beyond the columns of the layout that are not blank. */
  readonly surplus: number
  /** The columns, from 0, whose cells were too long and are cut. */
  readonly cut: ReadonlySet<number>
  /** UTF-16 units of the longest cell, dropped cells included. */
  readonly longest: number
  /**
   * A cell of several lines has text after its closing quote: a quote is missing or one too many.
   */
  readonly torn: boolean
}

/** The columns to keep, from 0, and the number of columns. */
export type Layout = { readonly columnsToKeep: ReadonlySet<number>; readonly columns: number }

/** The most UTF-16 units of a cell. */
export const MAX_CELL = 65_536

/** The most UTF-16 units and cells of a record. No spreadsheet has more columns. */
const MAX_UNITS = 1_048_576
const MAX_CELLS = 16_384

export class CsvRecordBuilder {
  /** Undefined to keep all cells. */
  layout: Layout | undefined
  #cells: Array<string> = []
  #cellCount = 0
  #units = 0
  #surplus = 0
  #cut = new Set<number>()
  #longest = 0
  #torn = false
  #anyFilled = false
  #cell = ""
  #cellUnits = 0
  #cellFilled = false

  /** Whether a record has begun. */
  get begun(): boolean {
    return this.#cellCount > 0 || this.#cellUnits > 0
  }

  append(text: string): void {
    this.#cellUnits += text.length
    if (!this.#cellFilled) this.#cellFilled = FILLED.test(text)
    if (!this.#isKept()) return
    const capacity = this.#capacity()
    if (text.length > capacity) this.#cut.add(this.#cellCount)
    this.#cell += text.length > capacity ? text.slice(0, capacity) : text
  }

  /** Puts text at the start of the cell. */
  prepend(text: string): void {
    this.#cellUnits += text.length
    this.#cellFilled = true
    if (this.#isKept()) this.#cell = text + this.#cell
  }

  tear(): void {
    this.#torn = true
  }

  endCell(): void {
    const column = this.#cellCount++
    if (this.#cellFilled) {
      this.#anyFilled = true
      if (this.layout !== undefined && column >= this.layout.columns) this.#surplus++
    }
    this.#longest = Math.max(this.#longest, this.#cellUnits)
    if (column < MAX_CELLS) this.#cells.push(withoutBlanksAround(this.#cell))
    this.#units += this.#cell.length
    this.#cell = ""
    this.#cellUnits = 0
    this.#cellFilled = false
  }

  /** Undefined for a blank record. */
  endRecord(line: number, lastLine: number): CsvRecord | undefined {
    this.endCell()
    const record = {
      line,
      lastLine,
      cells: this.#cells,
      surplus: this.#surplus,
      cut: this.#cut,
      longest: this.#longest,
      torn: this.#torn
    }
    const isBlank = !this.#anyFilled
    this.#cells = []
    this.#cellCount = 0
    this.#units = 0
    this.#surplus = 0
    this.#cut = new Set()
    this.#longest = 0
    this.#torn = false
    this.#anyFilled = false
    return isBlank ? undefined : record
  }

  #isKept(): boolean {
    return this.layout === undefined || this.layout.columnsToKeep.has(this.#cellCount)
  }

  #capacity(): number {
    const left = MAX_UNITS - this.#units
    return Math.max(0, Math.min(MAX_CELL, left) - this.#cell.length)
  }
}

/** White space and the end mark of DOS (0x1A). */
export const isBlank = (unit: number): boolean =>
  unit === 0x20 ||
  unit === 0x1a ||
  ((unit < 0x20 || unit > 0x7e) && WHITE.test(String.fromCharCode(unit)))

const WHITE = /\s/
// oxlint-disable-next-line no-control-regex -- it matches the end mark of DOS
const FILLED = /[^\s\u001a]/

const withoutBlanksAround = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
