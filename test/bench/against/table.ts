/** What a run says, as lines for a terminal. */
import type { Comparison, Verdict } from "./compare.js"

export type Row = Comparison & { readonly work: string }

const SAYS: Readonly<Record<Verdict, string>> = {
  within: "yes",
  over: "NO",
  noisy: "too noisy to tell; repeat it, or take more --rounds"
}

/** One line; `verdict` is last, since it may be long. */
const line = (work: string, verdict: string, ...figures: ReadonlyArray<string>): string =>
  [work.padEnd(42), ...figures.map((each) => each.padStart(11)), ` ${verdict}`].join(" ")

/** `before` names the earlier version. */
export const table = (before: string, atMost: number, rows: ReadonlyArray<Row>): string =>
  [
    line("", `at most ${atMost}`, `${before}, µs`, "here, µs", "ratio", "from", "to"),
    ...rows.map(({ work, beforeMicros, afterMicros, ratio, from, to, verdict }) => {
      const ratios = [ratio, from, to].map((each) => each.toFixed(3))
      return line(work, SAYS[verdict], beforeMicros.toFixed(1), afterMicros.toFixed(1), ...ratios)
    })
  ].join("\n")
