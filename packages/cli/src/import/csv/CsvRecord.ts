/**
 * One record of a CSV file, put together in bounded memory: of a cell that nobody needs nothing is
 * kept.
 */

export type CsvRecord = {
  /** The line on which it starts, from 1. */
  readonly line: number
  /** The line on which it ends. */
  readonly lastLine: number
  /** Without white space around; those that are not kept are empty. */
  readonly cells: ReadonlyArray<string>
  /** How many cells behind the columns of the layout have something in them. */
  readonly surplus: number
  /** The columns, from 0, whose cells are too long to be kept whole. */
  readonly cut: ReadonlySet<number>
  /** UTF-16 units of the longest cell, kept or not. */
  readonly longest: number
  /**
   * A cell of several lines goes on behind its closing quote: some quote is missing, or too many.
   */
  readonly torn: boolean
}

/** Which cells are kept, by their column from 0, and how many columns there are. */
export type Layout = { readonly kept: ReadonlySet<number>; readonly columns: number }

/** UTF-16 units that are kept of a cell. */
export const MAX_CELL = 65_536

/**
 * UTF-16 units, and cells, that are kept of a record without a layout. No spreadsheet has more
 * columns.
 */
const MAX_KEPT = 1_048_576
const MAX_CELLS = 16_384

export class CsvRecordBuilder {
  /** Until it is set, all cells are kept. */
  layout: Layout | undefined
  #cells: Array<string> = []
  #cellCount = 0
  #keptUnits = 0
  #surplus = 0
  #cut = new Set<number>()
  #longest = 0
  #torn = false
  #anyFilled = false
  #cell = ""
  #cellUnits = 0
  #cellFilled = false

  /** Whether anything of a record has come since the last one ended. */
  get begun(): boolean {
    return this.#cellCount > 0 || this.#cellUnits > 0
  }

  append(text: string): void {
    this.#cellUnits += text.length
    if (!this.#cellFilled) this.#cellFilled = FILLED.test(text)
    if (!this.#isKept()) return
    const room = this.#room()
    if (text.length > room) this.#cut.add(this.#cellCount)
    this.#cell += text.length > room ? text.slice(0, room) : text
  }

  /** Puts text before what there is of the cell. */
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
    this.#keptUnits += this.#cell.length
    this.#cell = ""
    this.#cellUnits = 0
    this.#cellFilled = false
  }

  /** Undefined for a record in which nothing is but white space and delimiters. */
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
    this.#keptUnits = 0
    this.#surplus = 0
    this.#cut = new Set()
    this.#longest = 0
    this.#torn = false
    this.#anyFilled = false
    return isBlank ? undefined : record
  }

  #isKept(): boolean {
    return this.layout === undefined || this.layout.kept.has(this.#cellCount)
  }

  #room(): number {
    const left = MAX_KEPT - this.#keptUnits
    return Math.max(0, Math.min(MAX_CELL, left) - this.#cell.length)
  }
}

/** White space, and the mark (0x1A) that DOS puts at the end of a file. */
export const isBlank = (unit: number): boolean =>
  unit === 0x20 || unit === 0x1a || ((unit < 0x20 || unit > 0x7e) && WHITE.test(String.fromCharCode(unit)))

const WHITE = /\s/
// oxlint-disable-next-line no-control-regex -- the end mark of DOS is one
const FILLED = /[^\s\u001a]/

const withoutBlanksAround = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
