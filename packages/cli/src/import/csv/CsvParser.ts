/**
 * Parses CSV (RFC 4180) in chunks. A cell is quoted if a quote is its first character, white space
 * aside. A quote anywhere else is an ordinary character.
 */
import { type CsvRecord, CsvRecordBuilder, isBlank, type Layout } from "./CsvRecord.js"

/** The file ended within a quoted cell. */
export class UnclosedQuote extends Error {
  override readonly name = "UnclosedQuote"
  /** The line on which the quote opens, from 1. */
  readonly line: number

  constructor(line: number) {
    super(`a quote that opens on line ${line} is never closed`)
    this.line = line
  }
}

/** Reads the titles. Its exceptions pass through `push` or `end`. */
export type Header = (record: CsvRecord) => Layout

/** Before a cell, in an unquoted cell, within quotes, or after the closing quote. */
type State = "before" | "plain" | "quoted" | "after"

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

export class CsvParser {
  readonly #record = new CsvRecordBuilder()
  readonly #delimiter: string
  readonly #delimiterUnit: number
  #state: State = "before"
  #line: number
  #recordLine: number
  #quoteLine = 0
  /** The white space after the closing quote of a cell. */
  #gap = ""
  /** A CR at the end of a chunk, which an LF of the next chunk may belong to. */
  #pendingCr = ""
  #ended: Array<CsvRecord> = []
  #header: Header | undefined

  /**
   * `delimiter` is one character, but no quote or line break. `firstLine` is the number of the
   * first line. `header` gets the first record, which is not returned, and selects the cells to
   * keep of the others. Without it all cells are kept.
   */
  constructor(delimiter: string, firstLine = 1, header?: Header) {
    this.#header = header
    this.#delimiter = delimiter
    this.#delimiterUnit = delimiter.charCodeAt(0)
    this.#line = firstLine
    this.#recordLine = firstLine
  }

  /**
   * Returns the records that end in this chunk, which must not end within a character. Blank
   * records are skipped.
   */
  push(piece: string): ReadonlyArray<CsvRecord> {
    const text = this.#pendingCr + piece
    const length = text.endsWith("\r") ? text.length - 1 : text.length
    this.#pendingCr = text.slice(length)
    return this.#parse(text, length)
  }

  /** Returns the last record. Throws {@link UnclosedQuote}. */
  end(): ReadonlyArray<CsvRecord> {
    const records = this.#parse(this.#pendingCr, this.#pendingCr.length)
    this.#pendingCr = ""
    if (this.#state === "quoted") throw new UnclosedQuote(this.#quoteLine)
    if (this.#record.begun) this.#endRecord()
    return records
  }

  #parse(text: string, length: number): ReadonlyArray<CsvRecord> {
    this.#ended = []
    for (let at = 0; at < length;) {
      if (this.#state === "quoted") at = this.#quoted(text, at, length)
      else if (this.#state === "plain") at = this.#plain(text, at, length)
      else at = this.#outside(text, at)
    }
    return this.#ended
  }

  #quoted(text: string, start: number, length: number): number {
    const quote = text.indexOf('"', start)
    const end = quote < 0 ? length : Math.min(quote, length)
    const part = text.slice(start, end)
    this.#record.append(part)
    this.#line += countLines(part)
    if (end === length) return length
    this.#state = "after"
    this.#gap = ""
    return end + 1
  }

  #plain(text: string, start: number, length: number): number {
    let end = start
    while (end < length && !this.#endsCell(text, end)) end++
    this.#record.append(text.slice(start, end))
    return end === length ? length : this.#endCell(text, end)
  }

  /** Before a cell, or after its closing quote. */
  #outside(text: string, at: number): number {
    if (this.#endsCell(text, at)) return this.#endCell(text, at)
    const unit = text.charCodeAt(at)
    if (this.#state === "before") {
      if (isBlank(unit)) return at + 1
      this.#state = unit === QUOTE ? "quoted" : "plain"
      this.#quoteLine = this.#line
      return unit === QUOTE ? at + 1 : at
    }
    if (unit === QUOTE && this.#gap === "") {
      this.#record.append('"')
      this.#state = "quoted"
      return at + 1
    }
    if (isBlank(unit)) {
      if (this.#gap.length < MAX_GAP) this.#gap += text.charAt(at)
      return at + 1
    }
    // The quotes are part of the cell, as in "Bob" the cat.
    this.#record.prepend('"')
    this.#record.append(`"${this.#gap}`)
    if (this.#line > this.#quoteLine) this.#record.tear()
    this.#state = "plain"
    return at
  }

  #endsCell(text: string, at: number): boolean {
    const unit = text.charCodeAt(at)
    return (
      unit === LF ||
      unit === CR ||
      (unit === this.#delimiterUnit && text.startsWith(this.#delimiter, at))
    )
  }

  /** Ends a cell. Returns the position after the delimiter or line break. */
  #endCell(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    this.#state = "before"
    if (unit !== LF && unit !== CR) {
      this.#record.endCell()
      return at + this.#delimiter.length
    }
    this.#endRecord()
    this.#line++
    this.#recordLine = this.#line
    return unit === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
  }

  #endRecord(): void {
    const record = this.#record.endRecord(this.#recordLine, this.#line)
    if (record === undefined) return
    if (this.#header === undefined) this.#ended.push(record)
    else {
      this.#record.layout = this.#header(record)
      this.#header = undefined
    }
  }
}

/** UTF-16 units of white space to keep in case the cell continues. */
const MAX_GAP = 1_024

const countLines = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) count++
  }
  return count
}
