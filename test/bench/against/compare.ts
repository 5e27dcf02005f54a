/** Compares two versions by paired rounds, and decides whether the result means anything. */
import { median } from "../http/statistics.js"

/** Processor time of the server for each request, in microseconds. */
export type Round = { readonly beforeMicros: number; readonly afterMicros: number }

/**
 * "within": the confidence interval of the ratio is within the bound. "over": it is above. "noisy":
 * the bound lies inside, so another run may decide otherwise.
 */
export type Verdict = "within" | "over" | "noisy"

export type Comparison = {
  readonly beforeMicros: number
  readonly afterMicros: number
  /** The median of the rounds' ratios: after ÷ before. */
  readonly ratio: number
  /** Its 90 % confidence interval. */
  readonly from: number
  readonly to: number
  readonly verdict: Verdict
}

/** With fewer rounds there is no interval of this confidence. */
export const FEWEST_ROUNDS = 5

/** The probability that the interval does not contain the true median. */
const ERROR = 0.1

/**
 * How many values at each end lie outside the interval, by the sign test: whatever the
 * distribution, a value is above the true median with probability 1/2. -1 for too few values.
 */
const outside = (count: number): number => {
  let probability = 2 ** -count
  let sum = probability
  let nth = 0
  while (2 * sum <= ERROR) {
    nth++
    probability *= (count - nth + 1) / nth
    sum += probability
  }
  return nth - 1
}

/** The confidence interval of a median. Throws if there are fewer than `FEWEST_ROUNDS` values. */
export const medianInterval = (values: ReadonlyArray<number>): readonly [number, number] => {
  const sorted = values.toSorted((left, right) => left - right)
  const skipped = outside(sorted.length)
  const from = sorted[skipped]
  const to = sorted[sorted.length - 1 - skipped]
  if (skipped < 0 || from === undefined || to === undefined)
    throw new Error(`${values.length} rounds are too few for a confidence interval`)
  return [from, to]
}

export const compare = (rounds: ReadonlyArray<Round>, atMost: number): Comparison => {
  const ratios = rounds.map(({ beforeMicros, afterMicros }) => afterMicros / beforeMicros)
  const [from, to] = medianInterval(ratios)
  return {
    beforeMicros: median(rounds.map((round) => round.beforeMicros)),
    afterMicros: median(rounds.map((round) => round.afterMicros)),
    ratio: median(ratios),
    from,
    to,
    verdict: to <= atMost ? "within" : from > atMost ? "over" : "noisy"
  }
}
