/** A shelter's list: a CSV file with a header, read row by row in bounded memory. */
import { createHash } from "node:crypto"
import { formatCount } from "../../terminal/text.js"
import { decodeText } from "../../input/decodeText.js"
import type { Source } from "../../input/Source.js"
import { type Columns, columnsOf, hasColumns, type Titles } from "./Columns.js"
import { CsvParser, type Header } from "../csv/CsvParser.js"
import { type CsvRecord, MAX_CELL } from "../csv/CsvRecord.js"
import { SAMPLE_LENGTH, dialectOf } from "../csv/dialect.js"
import { unguarded } from "../csv/formulaGuard.js"
import { UnreadableList } from "./UnreadableList.js"

/** The columns to read and the format of the file. */
export type ListFormat = Titles & {
  /** One character; detected if undefined. A first line `sep=;` wins over it. */
  readonly delimiter: string | undefined
  /** A label of the Encoding Standard, such as `utf-8`. A byte order mark wins over it. */
  readonly encoding: string
}

/** One row of the list. The cells have no white space around them. */
export type ListRow = {
  /** From 1, without the header and blank lines. */
  readonly number: number
  /** The line of the file on which the row starts, from 1. */
  readonly line: number
  readonly name: string
  readonly category: string
  readonly status: string | undefined
  /** Cells beyond the columns of the header that are not blank: an unquoted delimiter. */
  readonly surplus: number
  /** Why the cells can't be trusted, if so. */
  readonly unreadable?: string
}

/** UTF-16 units. A longer cell probably has a quote that is not closed. */
const LONG_CELL = 1_048_576

/** Callbacks while a list is read. */
type ListWatcher = {
  readonly bytes?: (bytes: Uint8Array) => void
  readonly delimiter?: (delimiter: string) => void
  /** The row that starts on this line has a very long cell. */
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
    const columnsToKeep = [name, category, ...(status === undefined ? [] : [status])]
    return { columnsToKeep: new Set(columnsToKeep), columns: count }
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

/** Facts about the whole list, which is read once before anything is sent. */
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
    delimiter: (detected) => {
      delimiter = detected
    },
    longCell: (line) => longCells.push(line)
  }
  for await (const row of readList(source, format, watcher)) {
    rows = row.number
    each(row)
  }
  return { rows, sha256: hash.digest("hex"), delimiter, longCells }
}

/** Notes on long cells, which may have swallowed other rows. */
export const longCellNotes = (lines: ReadonlyArray<number>): ReadonlyArray<string> => {
  const [first] = lines
  if (first === undefined) return []
  const where =
    lines.length === 1 ? `Line ${first} has` : `Line ${first} and ${lines.length - 1} more have`
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
  for await (const piece of withLongFirstChunk(text)) {
    if (parser !== undefined) {
      yield* parser.push(piece)
      continue
    }
    const fits = (titles: CsvRecord) => hasColumns(titles, format)
    const dialect = dialectOf(piece.slice(0, SAMPLE_LENGTH), format.delimiter, fits)
    watcher.delimiter?.(dialect.delimiter)
    parser = new CsvParser(dialect.delimiter, 1 + dialect.skippedLines, header)
    yield* parser.push(piece.slice(dialect.skipped))
  }
  if (parser !== undefined) yield* parser.end()
}

/** The same text with a first chunk of at least {@link SAMPLE_LENGTH}, if it is that long. */
async function* withLongFirstChunk(
  pieces: AsyncIterable<string>
): AsyncGenerator<string, void, undefined> {
  let sample = ""
  let isComplete = false
  for await (const piece of pieces) {
    if (isComplete) yield piece
    else {
      sample += piece
      isComplete = sample.length >= SAMPLE_LENGTH
      if (isComplete) yield sample
    }
  }
  if (!isComplete) yield sample
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
    return (
      `lines ${line} to ${lastLine} have a cell with text behind its closing quote: a quote is ` +
      "missing, or one too many"
    )
  if (cut.size > 0)
    return `a cell has more than ${formatCount(MAX_CELL)} characters: is a quote not closed?`
  return undefined
}
