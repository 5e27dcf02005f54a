/**
 * What stands between the cells of a list: what its first line says, what was asked for, or what
 * its header shows.
 */
import type { CsvRecord } from "./CsvRecord.js"
import { CsvParser } from "./CsvParser.js"

export type Dialect = {
  readonly delimiter: string
  /** What of the list's beginning is no part of it, in UTF-16 units, and how many lines that is. */
  readonly skipped: number
  readonly skippedLines: 0 | 1
}

/** UTF-16 units of a list's beginning that are looked at. */
export const BEGINNING = 65_536

/**
 * The first line `sep=;` is Excel's mark: it opens the list as the mark says, whatever else it
 * would have taken, and so do we.
 */
const MARK = /^"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n|$)/iu

/** What spreadsheets write, the likeliest first; a tab in "Unicode text". */
const USUAL = [",", ";", "\t", "|"] as const

/**
 * `beginning` is the list up to {@link BEGINNING}; `asked` is the delimiter that was asked for.
 * Without one the first of the usual is taken by which a header `fits`, and a comma if none is.
 */
export const dialectOf = (
  beginning: string,
  options: string | undefined,
  fits: (header: CsvRecord) => boolean
): Dialect => {
  const [mark = "", marked] = MARK.exec(beginning) ?? []
  const skippedLines = marked === undefined ? 0 : 1
  const fitting = (delimiter: string) => {
    const header = headerOf(beginning.slice(mark.length), delimiter)
    return header !== undefined && fits(header)
  }
  const delimiter = marked ?? options ?? USUAL.find(fitting) ?? USUAL[0]
  return { delimiter, skipped: mark.length, skippedLines }
}

/** The first record that is not blank; undefined where none ends here. */
const headerOf = (beginning: string, delimiter: string): CsvRecord | undefined => {
  const parser = new CsvParser(delimiter)
  const [header] = parser.push(beginning)
  if (header !== undefined) return header
  try {
    return parser.end()[0]
  } catch {
    return undefined // a quote that is not closed so far
  }
}
