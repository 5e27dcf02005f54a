/** What a run says, as a table of Markdown. */
import type { Comparison, Verdict } from "../against/compare.js"

export type Row = Comparison & {
  readonly host: string
  readonly work: string
  readonly atMost: number
}

const SAYS: Readonly<Record<Verdict, string>> = {
  within: "yes",
  over: "no",
  noisy: "too noisy to tell"
}

const line = (...cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

export const table = (rows: ReadonlyArray<Row>): string =>
  [
    line(
      "host",
      "work",
      "by hand, µs",
      "store, µs",
      "ratio",
      "90 % interval",
      "at most",
      "reached"
    ),
    line("---", "---", "---", "---", "---", "---", "---", "---"),
    ...rows.map(({ host, work, beforeMicros, afterMicros, ratio, from, to, atMost, verdict }) =>
      line(
        host,
        work,
        beforeMicros.toFixed(0),
        afterMicros.toFixed(0),
        ratio.toFixed(2),
        `${from.toFixed(2)} to ${to.toFixed(2)}`,
        atMost.toFixed(1),
        SAYS[verdict]
      )
    )
  ].join("\n")
