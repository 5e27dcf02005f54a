/**
 * The report of refused lines: CSV that spreadsheets open as it is meant, and that can be corrected
 * and imported in its turn.
 */
import type { RefusedLine } from "./Checkpoint.js"
import { guarded } from "./formulaGuard.js"

const TITLES = ["line", "name", "code", "message", "category", "status"] as const

/** Whether a list with these titles is such a report, to which columns may have been added. */
export const isReport = (titles: ReadonlyArray<string>): boolean =>
  TITLES.every((title, column) => titles[column] === title)

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
  const lines = [TITLES, ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`)
  return `\ufeff${lines.join("")}`
}

/** Also what is a delimiter elsewhere, and white space that would not count as part of the cell. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/
