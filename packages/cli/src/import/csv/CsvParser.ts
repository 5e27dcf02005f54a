/**
 * Takes CSV apart (RFC 4180) piece by piece, as people and programs write it: a cell is quoted if a
 * quote is the first thing in it but white space; a quote anywhere else is a character like others.
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

/** Reads the titles. What it throws comes out of `push` or `end`. */
export type Header = (record: CsvRecord) => Layout

/**
 * Where the parser is: before a cell, in one without quotes, within quotes, or behind the closing
 * quote.
 */
type Place = "before" | "plain" | "quoted" | "behind"

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

export class CsvParser {
  readonly #record = new CsvRecordBuilder()
  readonly #delimiter: string
  readonly #delimiterUnit: number
  #place: Place = "before"
  #line: number
  #recordLine: number
  #quoteLine = 0
  /** The white space between the closing quote of a cell and what comes next. */
  #gap = ""
  /** A CR at the end of a piece, since an LF at the start of the next one belongs to it. */
  #held = ""
  #ended: Array<CsvRecord> = []
  #header: Header | undefined

  /**
   * `delimiter` is one character, no quote and no line break; `firstLine` is the number of the
   * first line. The first record goes to `header`, which says what is kept of the others, and is
   * not among the records; without `header` all of all records is kept.
   */
  constructor(delimiter: string, firstLine = 1, header?: Header) {
    this.#header = header
    this.#delimiter = delimiter
    this.#delimiterUnit = delimiter.charCodeAt(0)
    this.#line = firstLine
    this.#recordLine = firstLine
  }

  /**
   * The records that end in this piece of the text, which must not end within a character. Records
   * of nothing but white space and delimiters are left out.
   */
  push(piece: string): ReadonlyArray<CsvRecord> {
    const text = this.#held + piece
    const length = text.endsWith("\r") ? text.length - 1 : text.length
    this.#held = text.slice(length)
    return this.#parse(text, length)
  }

  /** The records that end with the text. Throws {@link UnclosedQuote}. */
  end(): ReadonlyArray<CsvRecord> {
    const records = this.#parse(this.#held, this.#held.length)
    this.#held = ""
    if (this.#place === "quoted") throw new UnclosedQuote(this.#quoteLine)
    if (this.#record.begun) this.#endRecord()
    return records
  }

  #parse(text: string, length: number): ReadonlyArray<CsvRecord> {
    this.#ended = []
    for (let at = 0; at < length; ) {
      if (this.#place === "quoted") at = this.#quoted(text, at, length)
      else if (this.#place === "plain") at = this.#plain(text, at, length)
      else at = this.#outside(text, at)
    }
    return this.#ended
  }

  #quoted(text: string, start: number, length: number): number {
    const found = text.indexOf('"', start)
    const end = found < 0 ? length : Math.min(found, length)
    const part = text.slice(start, end)
    this.#record.append(part)
    this.#line += countLines(part)
    if (end === length) return length
    this.#place = "behind"
    this.#gap = ""
    return end + 1
  }

  #plain(text: string, start: number, length: number): number {
    let end = start
    while (end < length && !this.#endsCell(text, end)) end++
    this.#record.append(text.slice(start, end))
    return end === length ? length : this.#endCell(text, end)
  }

  /** Before a cell, or behind its closing quote. */
  #outside(text: string, at: number): number {
    if (this.#endsCell(text, at)) return this.#endCell(text, at)
    const unit = text.charCodeAt(at)
    if (this.#place === "before") {
      if (isBlank(unit)) return at + 1
      this.#place = unit === QUOTE ? "quoted" : "plain"
      this.#quoteLine = this.#line
      return unit === QUOTE ? at + 1 : at
    }
    if (unit === QUOTE && this.#gap === "") {
      this.#record.append('"')
      this.#place = "quoted"
      return at + 1
    }
    if (isBlank(unit)) {
      if (this.#gap.length < MAX_GAP) this.#gap += text.charAt(at)
      return at + 1
    }
    // The quotes are not those of the cell: they stand in it, as in "Bob" the cat.
    this.#record.prepend('"')
    this.#record.append(`"${this.#gap}`)
    if (this.#line > this.#quoteLine) this.#record.tear()
    this.#place = "plain"
    return at
  }

  #endsCell(text: string, at: number): boolean {
    const unit = text.charCodeAt(at)
    return (
      unit === LF || unit === CR || (unit === this.#delimiterUnit && text.startsWith(this.#delimiter, at))
    )
  }

  /** Goes on behind what ends a cell. */
  #endCell(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    this.#place = "before"
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

/** UTF-16 units of white space that are kept in case that a cell goes on behind it. */
const MAX_GAP = 1_024

const countLines = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) count++
  }
  return count
}
