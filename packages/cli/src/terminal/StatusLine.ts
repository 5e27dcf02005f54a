/**
 * A line with the progress of long work. A terminal updates it in place; other outputs get it again
 * from time to time.
 */
import process from "node:process"
import { type Output, printable, writeLine } from "./text.js"

/** The part of stderr that a status line uses. */
type Terminal = Output & {
  readonly columns?: number
  readonly on: (event: "resize", listener: () => void) => unknown
  readonly off: (event: "resize", listener: () => void) => unknown
}

const REDRAW_MS = 100
const PLAIN_EVERY_MS = 10_000

/** For a terminal without a known width. */
const DEFAULT_COLUMNS = 80

/** Wide characters take two columns, so a line may be wider than its length. */
const WITHOUT_WRAPPING = "\u001b[?7l"
const WITH_WRAPPING = "\u001b[?7h"

/** The active status line, if there is one. */
const drawn = new Set<StatusLine>()

/** Writes a line to stderr, above the status line if there is one. */
export const notice = (line: string): void => {
  if (drawn.size === 0) writeLine(process.stderr, line)
  for (const status of drawn) status.note(line)
}

export class StatusLine {
  readonly #timer: NodeJS.Timeout
  readonly #stream: Terminal
  readonly #read: () => string
  /** Whether the line can be redrawn in place: a terminal with escape codes. */
  readonly #inPlace: boolean
  /** The width of the line that was drawn last. */
  #drawn = 0

  /** `read` returns the current line. */
  constructor(stream: Terminal, read: () => string) {
    this.#stream = stream
    this.#read = read
    this.#inPlace = stream.isTTY === true && process.env["TERM"] !== "dumb"
    this.#timer = setInterval(
      () => this.#draw(),
      this.#inPlace ? REDRAW_MS : PLAIN_EVERY_MS
    ).unref()
    if (this.#inPlace) stream.on("resize", this.#resized)
    drawn.add(this)
  }

  /** Call before work that blocks the process, since timers do not run then. */
  redraw(): void {
    if (this.#inPlace) this.#draw()
  }

  /** Writes a line that stays. */
  note(line: string): void {
    if (this.#inPlace) this.#clear()
    writeLine(this.#stream, line)
    this.redraw()
  }

  end(): void {
    clearInterval(this.#timer)
    drawn.delete(this)
    if (!this.#inPlace) return
    this.#stream.off("resize", this.#resized)
    this.#clear()
  }

  #draw(): void {
    if (!this.#inPlace) return writeLine(this.#stream, this.#read())
    // The last column stays free, since some terminals wrap after it.
    const line = printable(this.#read(), Math.max(1, this.#columns() - 1))
    this.#drawn = Array.from(line).length
    this.#stream.write(`\r\u001b[K${WITHOUT_WRAPPING}${line}${WITH_WRAPPING}`)
  }

  #clear(): void {
    this.#stream.write("\r\u001b[K")
    this.#drawn = 0
  }

  /** A narrower terminal has wrapped the line, so all of its rows are cleared. */
  readonly #resized = (): void => {
    const above = Math.ceil(this.#drawn / this.#columns()) - 1
    this.#stream.write(`${above > 0 ? `\u001b[${above}A` : ""}\r\u001b[J`)
    this.#draw()
  }

  #columns(): number {
    return this.#stream.columns || DEFAULT_COLUMNS
  }
}
