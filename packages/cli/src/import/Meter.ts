/** Says how far an import is: a line that changes on a terminal, a line now and then elsewhere. Always on stderr. */
import { formatCount, formatSeconds } from "../terminal/text.js"

const REDRAW_MS = 100
const PLAIN_EVERY_MS = 10_000

export class Meter {
  #settled = 0
  #refused = 0
  readonly #startedMs: number
  readonly #timer: NodeJS.Timeout
  readonly #stream: NodeJS.WriteStream
  readonly #total: number
  readonly #nowMs: () => number

  /** `total` is how many rows have no outcome yet. */
  constructor(stream: NodeJS.WriteStream, total: number, nowMs: () => number) {
    this.#stream = stream
    this.#total = total
    this.#nowMs = nowMs
    this.#startedMs = nowMs()
    this.#timer = setInterval(() => this.#draw(), stream.isTTY ? REDRAW_MS : PLAIN_EVERY_MS).unref()
  }

  readonly settled = (refused: boolean): void => {
    this.#settled++
    if (refused) this.#refused++
  }

  note(line: string): void {
    this.#stream.write(this.#stream.isTTY ? `\r\u001b[K${line}\n` : `${line}\n`)
  }

  end(): void {
    clearInterval(this.#timer)
    if (this.#stream.isTTY) this.#stream.write("\r\u001b[K")
  }

  #draw(): void {
    const line = progressLine({
      settled: this.#settled,
      refused: this.#refused,
      total: this.#total,
      seconds: (this.#nowMs() - this.#startedMs) / 1_000
    })
    this.#stream.write(this.#stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`)
  }
}

export type Reading = {
  readonly settled: number
  readonly refused: number
  readonly total: number
  readonly seconds: number
}

export const progressLine = ({ settled, refused, total, seconds }: Reading): string => {
  const rate = seconds > 0 ? settled / seconds : 0
  const left = rate > 0 ? `, about ${formatSeconds((total - settled) / rate)} left` : ""
  const percent = total === 0 ? 100 : Math.floor((100 * settled) / total)
  const some = refused === 0 ? "" : `, ${formatCount(refused)} refused`
  return `${formatCount(settled)} of ${formatCount(total)} lines (${percent} %)${some}, ${formatCount(Math.round(rate))} a second${left}`
}
