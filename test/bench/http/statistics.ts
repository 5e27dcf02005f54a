/** Many rounds as few figures. */

/** The middle one, or the mean of the two in the middle; NaN of none. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** A figure of several rounds: the middle, the least and the greatest. */
export type Spread = { readonly median: number; readonly least: number; readonly greatest: number }

export const spread = (values: ReadonlyArray<number>): Spread => ({
  median: median(values),
  least: Math.min(...values),
  greatest: Math.max(...values)
})

/**
 * How many times as much the one came to as the other, round by round, so that what befell a round
 * befell both.
 */
export const ratio = (ones: ReadonlyArray<number>, others: ReadonlyArray<number>): Spread =>
  spread(ones.flatMap((one, round) => others.slice(round, round + 1).map((other) => one / other)))

export const sum = (values: ReadonlyArray<number>): number =>
  values.reduce((total, value) => total + value, 0)
