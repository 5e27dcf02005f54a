/**
 * A line that says how far long work is: it changes in place on a terminal, and is repeated now
 * and then elsewhere.
 */
import process from "node:process"
import { type Output, printable, writeLine } from "./text.js"

/** What a status line needs of stderr. */
export type Terminal = Output & {
  readonly columns?: number
  readonly on: (event: "resize", listener: () => void) => unknown
  readonly off: (event: "resize", listener: () => void) => unknown
}

const REDRAW_MS = 100
const PLAIN_EVERY_MS = 10_000

/** Where a terminal does not say how wide it is. */
const USUAL_COLUMNS = 80

/** Characters that are two columns wide may make the line wider than it counts. */
const WITHOUT_WRAPPING = "\u001b[?7l"
const WITH_WRAPPING = "\u001b[?7h"

/** The lines that are on the terminal just now: one, or none. */
const drawn = new Set<StatusLine>()

/** Says something on stderr that stays: above the status line where there is one. */
export const notice = (line: string): void => {
  if (drawn.size === 0) writeLine(process.stderr, line)
  for (const status of drawn) status.note(line)
}

export class StatusLine {
  readonly #timer: NodeJS.Timeout
  readonly #stream: Terminal
  readonly #read: () => string
  /** Whether the line can be drawn over (a terminal that knows escape codes). */
  readonly #moves: boolean
  /** How many columns the line takes that was drawn last. */
  #drawn = 0

  /** `read` gives the line as of now. */
  constructor(stream: Terminal, read: () => string) {
    this.#stream = stream
    this.#read = read
    this.#moves = stream.isTTY === true && process.env["TERM"] !== "dumb"
    this.#timer = setInterval(() => this.#draw(), this.#moves ? REDRAW_MS : PLAIN_EVERY_MS).unref()
    if (this.#moves) stream.on("resize", this.#resized)
    drawn.add(this)
  }

  /** Before work that blocks the process, in which no timer runs: a terminal shows the line as of now. */
  redraw(): void {
    if (this.#moves) this.#draw()
  }

  /** Says something that stays. */
  note(line: string): void {
    if (this.#moves) this.#clear()
    writeLine(this.#stream, line)
    this.redraw()
  }

  end(): void {
    clearInterval(this.#timer)
    drawn.delete(this)
    if (!this.#moves) return
    this.#stream.off("resize", this.#resized)
    this.#clear()
  }

  #draw(): void {
    if (!this.#moves) return writeLine(this.#stream, this.#read())
    // The last column stays free: some terminals wrap once it is written.
    const line = printable(this.#read(), Math.max(1, this.#columns() - 1))
    this.#drawn = Array.from(line).length
    this.#stream.write(`\r\u001b[K${WITHOUT_WRAPPING}${line}${WITH_WRAPPING}`)
  }

  #clear(): void {
    this.#stream.write("\r\u001b[K")
    this.#drawn = 0
  }

  /** Terminals that have become narrower have broken the line; all of its rows are drawn over. */
  readonly #resized = (): void => {
    const above = Math.ceil(this.#drawn / this.#columns()) - 1
    this.#stream.write(`${above > 0 ? `\u001b[${above}A` : ""}\r\u001b[J`)
    this.#draw()
  }

  #columns(): number {
    return this.#stream.columns || USUAL_COLUMNS
  }
}
