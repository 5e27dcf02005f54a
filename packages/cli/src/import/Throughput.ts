/** The progress of an import on stderr: rows done, rows a second, time left. */
import { StatusLine } from "../terminal/StatusLine.js"
import { formatCount, formatSeconds } from "../terminal/text.js"

export class Throughput {
  #settled = 0
  #refused = 0
  readonly #line: StatusLine

  /** `total` is the number of rows without an outcome. */
  constructor(stream: NodeJS.WriteStream, total: number, nowMs: () => number) {
    const startedMs = nowMs()
    this.#line = new StatusLine(stream, () =>
      progressLine({
        settled: this.#settled,
        refused: this.#refused,
        total,
        seconds: (nowMs() - startedMs) / 1_000
      })
    )
  }

  readonly settled = (refused: boolean): void => {
    this.#settled++
    if (refused) this.#refused++
  }

  note(line: string): void {
    this.#line.note(line)
  }

  end(): void {
    this.#line.end()
  }
}

export type Reading = {
  readonly settled: number
  readonly refused: number
  readonly total: number
  readonly seconds: number
}

const progressLine = ({ settled, refused, total, seconds }: Reading): string => {
  const rate = seconds > 0 ? settled / seconds : 0
  const left = rate > 0 ? `, about ${formatSeconds((total - settled) / rate)} left` : ""
  const percent = total === 0 ? 100 : Math.floor((100 * settled) / total)
  const refusals = refused === 0 ? "" : `, ${formatCount(refused)} refused`
  return (
    `${formatCount(settled)} of ${formatCount(total)} lines (${percent} %)${refusals}, ` +
    `${formatCount(Math.round(rate))} a second${left}`
  )
}
