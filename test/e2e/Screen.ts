/**
 * What a terminal of so many columns shows of what was written to it; lines are broken anew when it
 * is resized.
 */
export class Screen {
  columns: number
  /** Lines as they were written, however many rows each takes. */
  readonly #lines: Array<Array<string>> = [[]]
  #line = 0
  #at = 0
  #wraps = true
  #pending = ""

  constructor(columns: number) {
    this.columns = columns
  }

  /** The rows, from the first that was ever written. */
  get rows(): ReadonlyArray<string> {
    return this.#lines.flatMap((line) => {
      const rows: Array<string> = []
      for (let at = 0; at === 0 || at < line.length; at += this.columns)
        rows.push(line.slice(at, at + this.columns).join(""))
      return rows
    })
  }

  write(text: string): void {
    const all = this.#pending + text
    // oxlint-disable-next-line no-control-regex -- escape codes begin with one
    const whole = all.replace(/\u001b(\[[?0-9;]*)?$/, "")
    this.#pending = all.slice(whole.length)
    // oxlint-disable-next-line no-control-regex -- the same
    for (const part of whole.match(/\u001b\[[?0-9;]*[A-Za-z]|[^]/gu) ?? []) this.#take(part)
  }

  #take(part: string): void {
    const line = (this.#lines[this.#line] ??= [])
    const rowStart = Math.floor(this.#at / this.columns) * this.columns
    const [, count = "", command = ""] = /^.\[(.*)(.)$/.exec(part) ?? []
    if (part === "\r") this.#at = rowStart
    else if (part === "\n") {
      this.#line++
      this.#at = 0
      this.#lines[this.#line] ??= []
    } else if (command === "K") line.length = Math.min(line.length, this.#at)
    else if (command === "J") {
      line.length = Math.min(line.length, this.#at)
      this.#lines.length = this.#line + 1
    } else if (command === "A") {
      this.#at -= Number(count) * this.columns
      if (this.#at < 0) throw new Error("the cursor was moved above the line that it was in")
    } else if (part === "\u001b[?7l") this.#wraps = false
    else if (part === "\u001b[?7h") this.#wraps = true
    else if (part.length > 1) throw new Error(`the screen does not know ${JSON.stringify(part)}`)
    else {
      const last = rowStart + this.columns - 1
      while (line.length < this.#at) line.push(" ")
      line[this.#at] = part
      this.#at = this.#wraps ? this.#at + 1 : Math.min(this.#at + 1, last)
    }
  }
}
