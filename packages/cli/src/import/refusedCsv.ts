/**
 * The report of refused lines: CSV that spreadsheets open as it is meant, and that can be corrected
 * and imported in its turn.
 */
import type { RefusedLine } from "./progress/Checkpoint.js"
import { REPORT_TITLES } from "./list/reportTitles.js"
import { guarded } from "./csv/formulaGuard.js"

/**
 * Begins with a byte order mark, by which spreadsheets know UTF-8. Has semicolons between the cells
 * if the list has, since the spreadsheet that wrote that expects them, and commas otherwise. Texts
 * that would run as formulas have an apostrophe before them, which an import of the report takes
 * off.
 */
export const refusedCsv = (refused: ReadonlyArray<RefusedLine>, listDelimiter: string): string => {
  const delimiter = listDelimiter === ";" ? ";" : ","
  const rows = refused.map(({ line, name, code, message, category = "", status = "" }) => [
    String(line),
    ...[name, code, message, category, status].map(guarded)
  ])
  const quoted = (cell: string) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = [REPORT_TITLES, ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`)
  return `\ufeff${lines.join("")}`
}

/** Also what is a delimiter elsewhere, and white space that would not count as part of the cell. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/
