/** Text for people: lines, numbers, sizes, times and tables. */
import process from "node:process"
import { stripVTControlCharacters } from "node:util"

/** stdout or stderr. */
export type Output = { readonly isTTY?: boolean; readonly write: (text: string) => unknown }

/** Whether escape codes may be written to this stream (https://no-color.org). */
const showsColour = (stream: Output): boolean =>
  stream.isTTY === true && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"

/** Writes a line, without escape codes if the stream does not show them. */
export const writeLine = (stream: Output, line: string): void => {
  stream.write(`${showsColour(stream) ? line : stripVTControlCharacters(line)}\n`)
}

/** 26729 as 26,729. */
export const formatCount = (count: number): string => count.toLocaleString("en-US")

/** Bytes as 640 kB, 12.3 MB, 25.1 GB. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000_000) return `${formatCount(Math.ceil(bytes / 1_000))} kB`
  const [unit, name] = bytes < 10_000_000_000 ? [1_000_000, "MB"] : [1_000_000_000, "GB"]
  return `${(bytes / unit).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${name}`
}

/** Seconds as 8 s, 3 min 20 s, 7 h 5 min. */
export const formatSeconds = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}

const DAY_MS = 86_400_000

/** An age as 9 days. Less than two days are formatted as seconds are. */
export const formatAge = (ms: number): string =>
  ms < 2 * DAY_MS ? formatSeconds(ms / 1_000) : `${formatCount(Math.floor(ms / DAY_MS))} days`

/** Characters that move the cursor, end a line, or change the direction of the text after them. */
// oxlint-disable-next-line no-control-regex -- it matches control characters
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Text from outside that is safe to print: without control characters, and at most `limit` code
 * points.
 */
export const printable = (text: string, limit = 40): string => {
  const points = Array.from(stripVTControlCharacters(text).replace(UNPRINTABLE, " "))
  return points.length <= limit ? points.join("") : `${points.slice(0, limit - 1).join("")}…`
}

/** A word quoted for a shell. */
export const shellWord = (word: string): string =>
  /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** An instant as 2026-01-31 09:30, in UTC; empty for undefined. */
export const shortTime = (instant: string | number | undefined): string =>
  instant === undefined ? "" : new Date(instant).toISOString().slice(0, 16).replace("T", " ")

/** The same with seconds. */
export const exactTime = (instant: string | number | undefined): string =>
  instant === undefined ? "" : new Date(instant).toISOString().slice(0, 19).replace("T", " ")

/** Formats a table. The library is loaded with the first table. */
export const drawTable = async (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  rightAligned: ReadonlyArray<number> = []
): Promise<string> => {
  const { default: Table } = await import("cli-table3")
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (rightAligned.includes(column) ? "right" : "left")),
    style: { head: [], border: [], compact: true }
  })
  table.push(...rows.map((row) => [...row]))
  return table.toString()
}
