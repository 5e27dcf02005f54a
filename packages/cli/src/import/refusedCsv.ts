/** The report of refused lines: CSV for spreadsheets, which can be corrected and imported. */
import type { RefusedLine } from "./progress/Checkpoint.js"
import { REPORT_TITLES } from "./list/reportTitles.js"
import { guarded } from "./csv/formulaGuard.js"

/**
 * Begins with a byte order mark, which tells spreadsheets that it is UTF-8. The delimiter is a
 * semicolon if the list has semicolons, else a comma. Formulas are guarded with an apostrophe,
 * which an import of the report removes.
 */
export const refusedCsv = (refused: ReadonlyArray<RefusedLine>, listDelimiter: string): string => {
  const delimiter = listDelimiter === ";" ? ";" : ","
  const rows = refused.map(({ line, name, code, message, category = "", status = "" }) => [
    String(line),
    ...[name, code, message, category, status].map(guarded)
  ])
  const quoted = (cell: string) =>
    NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = [REPORT_TITLES, ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`)
  return `\ufeff${lines.join("")}`
}

/** Also for the delimiters of other locales, and white space that an import would remove. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/
