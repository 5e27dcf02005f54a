/** A line that says how far long work is: it changes in place on a terminal, and is repeated now and then elsewhere. */

const REDRAW_MS = 100
const PLAIN_EVERY_MS = 10_000

export class StatusLine {
  readonly #timer: NodeJS.Timeout
  readonly #stream: NodeJS.WriteStream
  readonly #read: () => string

  /** `read` gives the line as of now. */
  constructor(stream: NodeJS.WriteStream, read: () => string) {
    this.#stream = stream
    this.#read = read
    this.#timer = setInterval(() => this.#draw(), stream.isTTY ? REDRAW_MS : PLAIN_EVERY_MS).unref()
  }

  /** Before work that blocks the process, in which no timer runs: a terminal shows the line as of now. */
  redraw(): void {
    if (this.#stream.isTTY) this.#draw()
  }

  /** Says something that stays. */
  note(line: string): void {
    this.#stream.write(this.#stream.isTTY ? `\r\u001b[K${line}\n` : `${line}\n`)
  }

  end(): void {
    clearInterval(this.#timer)
    if (this.#stream.isTTY) this.#stream.write("\r\u001b[K")
  }

  #draw(): void {
    const line = this.#read()
    this.#stream.write(this.#stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`)
  }
}
