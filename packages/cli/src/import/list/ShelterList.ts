/** A shelter's list: a CSV file with a header, read row by row in bounded memory. */
import { createHash } from "node:crypto"
import { formatCount } from "../../terminal/text.js"
import { decodeText } from "../../input/decodeText.js"
import type { Source } from "../../input/Source.js"
import { type Columns, columnsOf, hasColumns, type Titles } from "./Columns.js"
import { CsvParser, type Header } from "../csv/CsvParser.js"
import { type CsvRecord, MAX_CELL } from "../csv/CsvRecord.js"
import { BEGINNING, dialectOf } from "../csv/dialect.js"
import { unguarded } from "../csv/formulaGuard.js"
import { UnreadableList } from "./UnreadableList.js"

/** Which columns say what, and how the file is written. */
export type ListFormat = Titles & {
  /** One character; by the list itself unless given. A first line `sep=;` wins over it. */
  readonly delimiter: string | undefined
  /** A label of the Encoding Standard, such as `utf-8`. A byte order mark wins over it. */
  readonly encoding: string
}

/** One animal of the list, as written but for white space around the cells. */
export type ListRow = {
  /** From 1, the header and blank lines not counted. */
  readonly number: number
  /** The line of the file on which the row starts, from 1. */
  readonly line: number
  readonly name: string
  readonly category: string
  readonly status: string | undefined
  /**
   * Cells beyond the header's columns that are not blank: a sign of a delimiter that should have
   * been quoted.
   */
  readonly surplus: number
  /** Why the cells are not what the list has, where that is so. */
  readonly unreadable?: string
}

/**
 * A cell longer than this, in UTF-16 units, is likelier a quote that was not closed in its place.
 */
const LONG_CELL = 1_048_576

/** Told of a list as it is read. */
export type ListWatcher = {
  readonly bytes?: (bytes: Uint8Array) => void
  readonly delimiter?: (delimiter: string) => void
  /** There is a very long cell in the row that starts on this line. */
  readonly longCell?: (line: number) => void
}

/** The rows of the list, in order. Throws {@link UnreadableList}. */
export async function* readList(
  source: Source,
  format: ListFormat,
  watcher: ListWatcher = {}
): AsyncGenerator<ListRow, void, undefined> {
  let columns: Columns | undefined
  let number = 0
  const header: Header = (record) => {
    columns = columnsOf(record, format)
    const { name, category, status, count } = columns
    const kept = [name, category, ...(status === undefined ? [] : [status])]
    return { kept: new Set(kept), columns: count }
  }
  try {
    for await (const record of recordsOf(source, format, header, watcher)) {
      if (columns === undefined) continue // no row comes before the header
      if (record.longest > LONG_CELL) watcher.longCell?.(record.line)
      yield rowOf(record, ++number, columns)
    }
  } catch (cause) {
    throw UnreadableList.because(cause)
  }
  if (columns === undefined) throw new UnreadableList("the list is empty: it has no header line")
}

/**
 * What is true of the list as a whole; reading all of it once finds what can't be read before
 * anything is sent.
 */
export type Survey = {
  readonly rows: number
  readonly sha256: string
  readonly delimiter: string
  /** The lines on which rows with very long cells start. */
  readonly longCells: ReadonlyArray<number>
}

export const surveyList = async (
  source: Source,
  format: ListFormat,
  each: (row: ListRow) => void = () => undefined
): Promise<Survey> => {
  const hash = createHash("sha256")
  const longCells: Array<number> = []
  let rows = 0
  let delimiter = ""
  const watcher: ListWatcher = {
    bytes: (bytes) => hash.update(bytes),
    delimiter: (found) => {
      delimiter = found
    },
    longCell: (line) => longCells.push(line)
  }
  for await (const row of readList(source, format, watcher)) {
    rows = row.number
    each(row)
  }
  return { rows, sha256: hash.digest("hex"), delimiter, longCells }
}

/** What there is to say of long cells. Where one has swallowed other rows, those are missing. */
export const longCellNotes = (lines: ReadonlyArray<number>): ReadonlyArray<string> => {
  const [first] = lines
  if (first === undefined) return []
  const where = lines.length === 1 ? `Line ${first} has` : `Line ${first} and ${lines.length - 1} more have`
  return [`${where} a cell of more than a million characters: is a quote not closed?`]
}

async function* recordsOf(
  source: Source,
  format: ListFormat,
  header: Header,
  watcher: ListWatcher
): AsyncGenerator<CsvRecord, void, undefined> {
  let parser: CsvParser | undefined
  const encoding = { label: format.encoding, fatal: true }
  const text = decodeText(source.bytes(), encoding, watcher.bytes)
  for await (const piece of beginningInOne(text)) {
    if (parser !== undefined) {
      yield* parser.push(piece)
      continue
    }
    const fits = (titles: CsvRecord) => hasColumns(titles, format)
    const dialect = dialectOf(piece.slice(0, BEGINNING), format.delimiter, fits)
    watcher.delimiter?.(dialect.delimiter)
    parser = new CsvParser(dialect.delimiter, 1 + dialect.skippedLines, header)
    yield* parser.push(piece.slice(dialect.skipped))
  }
  if (parser !== undefined) yield* parser.end()
}

/** The same text, with at least {@link BEGINNING} of it in the first piece, or all. */
async function* beginningInOne(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let beginning = ""
  let begun = false
  for await (const piece of pieces) {
    if (begun) yield piece
    else {
      beginning += piece
      begun = beginning.length >= BEGINNING
      if (begun) yield beginning
    }
  }
  if (!begun) yield beginning
}

const rowOf = (record: CsvRecord, number: number, columns: Columns): ListRow => {
  const { name, category, status, report } = columns
  const { line, cells, surplus } = record
  const cell = (column: number) => {
    const text = cells[column] ?? ""
    return report ? unguarded(text) : text
  }
  const why = whyUnreadable(record)
  return {
    number,
    line,
    name: cell(name),
    category: cell(category),
    status: status === undefined ? undefined : cell(status),
    surplus,
    ...(why === undefined ? {} : { unreadable: why })
  }
}

const whyUnreadable = ({ line, lastLine, cut, torn }: CsvRecord): string | undefined => {
  if (torn)
    return `lines ${line} to ${lastLine} have a cell with text behind its closing quote: a quote is missing, or one too many`
  if (cut.size > 0) return `a cell has more than ${formatCount(MAX_CELL)} characters: is a quote not closed?`
  return undefined
}
