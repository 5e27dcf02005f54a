/** A shelter's list: a CSV file with a header, read row by row in constant memory. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import type { CsvError } from "csv-parse"

/** Which columns say what, and how the file is written. */
export type ListFormat = {
  readonly name: string
  readonly category: string
  readonly status: string | undefined
  readonly delimiter: string
  /** A label of the Encoding Standard, such as `utf-8`. A byte-order mark is skipped. */
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
  /** Cells beyond the header's columns that are not blank: a sign of a delimiter that should have been quoted. */
  readonly surplus: number
}

/** The file can't be read as such a list. */
export class UnreadableList extends Error {
  override readonly name = "UnreadableList"
  /** The columns asked for are not those of the list. */
  readonly wrongColumn: boolean

  constructor(message: string, wrongColumn = false) {
    super(message)
    this.wrongColumn = wrongColumn
  }
}

/** A record longer than this is a quote that was never closed, not an animal. */
const MAX_RECORD_BYTES = 1_048_576

type Parsed = { readonly record: ReadonlyArray<string>; readonly raw: string }

/** The rows of the list, in order. `onBytes` sees the file as it is read. Throws {@link UnreadableList}. */
export async function* readList(
  file: string,
  format: ListFormat,
  onBytes: (bytes: Uint8Array) => void = () => undefined
): AsyncGenerator<ListRow, void, undefined> {
  const { parse } = await import("csv-parse")
  const parser = parse({
    raw: true,
    delimiter: format.delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_BYTES,
    skip_records_with_error: true // or the rows before the error would be lost with it
  })
  let failure: CsvError | undefined
  parser.on("skip", (error: CsvError) => {
    failure ??= error
  })
  pipeline(createReadStream(file), decoded(format.encoding, onBytes), parser, () => undefined)

  let line = 1
  let number = 0
  let columns: Columns | undefined
  try {
    for await (const { record, raw } of parser as AsyncIterable<Parsed>) {
      if (failure?.code === "CSV_MAX_RECORD_SIZE") break
      const startedAt = line
      line += Math.max(1, raw.match(/\r\n?|\n/g)?.length ?? 0)
      if (record.length === 1 && record[0]?.trim() === "") continue
      if (columns === undefined) {
        columns = findColumns(record, format)
        continue
      }
      const { name, category, status, count } = columns
      number++
      yield {
        number,
        line: startedAt,
        name: (record[name] ?? "").trim(),
        category: (record[category] ?? "").trim(),
        status: status === undefined ? undefined : (record[status] ?? "").trim(),
        surplus: record.slice(count).filter((cell) => cell.trim() !== "").length
      }
    }
  } catch (cause) {
    throw cause instanceof UnreadableList ? cause : unreadable(cause, line)
  }
  if (failure !== undefined) throw unreadable(failure, line)
  if (columns === undefined) throw new UnreadableList("the list is empty: it has no header line")
}

/** What is true of the list as a whole; reading all of it once finds what can't be read before anything is sent. */
export type Survey = { readonly rows: number; readonly sha256: string }

export const surveyList = async (
  file: string,
  format: ListFormat,
  each: (row: ListRow) => void = () => undefined
): Promise<Survey> => {
  const hash = createHash("sha256")
  let rows = 0
  for await (const row of readList(file, format, (bytes) => hash.update(bytes))) {
    rows = row.number
    each(row)
  }
  return { rows, sha256: hash.digest("hex") }
}

type Columns = {
  readonly name: number
  readonly category: number
  readonly status: number | undefined
  readonly count: number
}

const findColumns = (header: ReadonlyArray<string>, format: ListFormat): Columns => {
  const titles = header.map((title) => title.trim())
  const find = (title: string) => {
    const at = titles.indexOf(title.trim())
    if (at < 0) {
      const known = titles.map((each) => `'${each.slice(0, 40)}'`).slice(0, 40)
      throw new UnreadableList(`the list has no column '${title}'; it has ${known.join(", ")}`, true)
    }
    if (titles.lastIndexOf(title.trim()) !== at) {
      throw new UnreadableList(`the list has the column '${title}' twice`, true)
    }
    return at
  }
  return {
    name: find(format.name),
    category: find(format.category),
    status: format.status === undefined ? undefined : find(format.status),
    count: titles.length
  }
}

const decoded = (encoding: string, onBytes: (bytes: Uint8Array) => void) => {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return async function* (source: AsyncIterable<Uint8Array>) {
    for await (const bytes of source) {
      onBytes(bytes)
      yield decoder.decode(bytes, { stream: true })
    }
    yield decoder.decode()
  }
}

const unreadable = (cause: unknown, line: number): UnreadableList => {
  const { code, message } = cause as Partial<CsvError> & { readonly message: string }
  const words: Readonly<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: `a quote that opens on line ${line} is never closed`,
    CSV_MAX_RECORD_SIZE: "a record goes on for more than a mebibyte: is a quote not closed?",
    ERR_ENCODING_INVALID_ENCODED_DATA:
      "the list is not in the encoding it should be in; --encoding windows-1252 is what spreadsheets often write",
    ENOENT: "there is no such file",
    EISDIR: "that is a folder, not a file",
    EACCES: "it may not be read"
  }
  return new UnreadableList(words[String(code)] ?? message)
}
