/**
 * Keeps a spreadsheet from running a text as a formula (OWASP, CSV injection): adds an apostrophe
 * wherever a cell with a formula could begin. That can be within the text too, after a line break
 * or after the delimiter of another locale.
 */
export const guarded = (text: string): string => text.replace(UNGUARDED, "'")

/** Reverts {@link guarded}. */
export const unguarded = (text: string): string => text.replace(GUARDED, "")

/** The start of a formula, also in full width, with or without guards before it. */
const FORMULA = String.raw`'*[=+\-@＝＋－＠]`
/** The start of a cell in any locale. */
const CELL_START = String.raw`(?<=(?:^|[,;|\t\r\n])[\s"]*)`
/** Some spreadsheets drop these at the start of a cell. */
const DROPPED = String.raw`'*[\t\r\n]`

const UNGUARDED = new RegExp(`(?=${FORMULA})${CELL_START}|^(?=${DROPPED})`, "g")
const GUARDED = new RegExp(`'(?=${FORMULA})(?<=${CELL_START}')|^'(?=${DROPPED})`, "g")
