/** Finds the delimiter of a list: from its first line, from the option, or from its header. */
import type { CsvRecord } from "./CsvRecord.js"
import { CsvParser } from "./CsvParser.js"

type Dialect = {
  readonly delimiter: string
  /** The length of the `sep=` line in UTF-16 units, 0 if there is none. */
  readonly skipped: number
  readonly skippedLines: 0 | 1
}

/** UTF-16 units at the start of a list that are examined. */
export const SAMPLE_LENGTH = 65_536

/** A first line `sep=;` sets the delimiter, as it does in Excel. */
const MARK = /^"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n|$)/iu

/** The delimiters of spreadsheets, the most common first. */
const COMMON = [",", ";", "\t", "|"] as const

/**
 * `sample` is the list up to {@link SAMPLE_LENGTH}, `option` the delimiter that the user named.
 * Otherwise the result is the first common delimiter whose header `fits`, or a comma.
 */
export const dialectOf = (
  sample: string,
  option: string | undefined,
  fits: (header: CsvRecord) => boolean
): Dialect => {
  const [mark = "", marked] = MARK.exec(sample) ?? []
  const skippedLines = marked === undefined ? 0 : 1
  const fitting = (delimiter: string) => {
    const header = headerOf(sample.slice(mark.length), delimiter)
    return header !== undefined && fits(header)
  }
  const delimiter = marked ?? option ?? COMMON.find(fitting) ?? COMMON[0]
  return { delimiter, skipped: mark.length, skippedLines }
}

/** The first record that is not blank; undefined if the sample has none. */
const headerOf = (sample: string, delimiter: string): CsvRecord | undefined => {
  const parser = new CsvParser(delimiter)
  const [header] = parser.push(sample)
  if (header !== undefined) return header
  try {
    return parser.end()[0]
  } catch {
    return undefined // a quote is not closed within the sample
  }
}
