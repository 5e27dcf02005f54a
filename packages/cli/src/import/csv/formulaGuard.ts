/**
 * Keeps a spreadsheet from running a text as a formula: an apostrophe before each place where a
 * cell with one could begin (OWASP, CSV injection). That is also within the text, behind a line
 * break or what another country's spreadsheet takes for a delimiter, since that does not see the
 * same cells.
 */
export const guarded = (text: string): string => text.replace(UNGUARDED, "'")

/** The text that {@link guarded} was given. */
export const unguarded = (text: string): string => text.replace(GUARDED, "")

/** What begins a formula, in full width too, behind guards or none. */
const FORMULA = String.raw`'*[=+\-@＝＋－＠]`
/** Where a cell begins, for one spreadsheet or another. */
const BEHIND = String.raw`(?<=(?:^|[,;|\t\r\n])[\s"]*)`
/** Some spreadsheets drop these, and what follows comes first. */
const DROPPED = String.raw`'*[\t\r\n]`

const UNGUARDED = new RegExp(`(?=${FORMULA})${BEHIND}|^(?=${DROPPED})`, "g")
const GUARDED = new RegExp(`'(?=${FORMULA})(?<=${BEHIND}')|^'(?=${DROPPED})`, "g")
