/**
 * How many requests were counted in each window, by the number of the window since 1970, as one
 * short text: "29455555:60 29455560+9:12". The latter says that none of that window and the 9 after
 * it has more. A text, because it is stored with every block and hardly ever read.
 */

/** `used` requests at most in each of the windows `first` to `last`. */
type Run = { readonly first: number; readonly last: number; readonly used: number }

/** A ledger in which no window stands. */
export const EMPTY_LEDGER = ""

/** A longer text is thinned out. So 60 windows that were used one after the other stand exactly. */
const MAX_LENGTH = 768

/** Thinning leaves so many entries. */
const THINNED_TO = 48

const runOf = (entry: string): Run => {
  const [windows = "", used] = entry.split(":")
  const [start, more = 0] = windows.split("+")
  const first = Number(start)
  return { first, last: first + Number(more), used: Number(used) }
}

/** The ledger that was taken apart last, as one decision looks at the same one several times. */
let recent: { readonly ledger: string; readonly runs: ReadonlyArray<Run> } | undefined

/** In ascending order, and none overlap. */
const runsOf = (ledger: string): ReadonlyArray<Run> => {
  if (ledger === EMPTY_LEDGER) return []
  if (ledger !== recent?.ledger) recent = { ledger, runs: ledger.split(" ").map(runOf) }
  return recent.runs
}

const entryOf = ({ first, last, used }: Run): string =>
  first === last ? `${first}:${used}` : `${first}+${last - first}:${used}`

const textOf = (runs: ReadonlyArray<Run>): string => runs.map(entryOf).join(" ")

/** In most cases one knows by this alone that a window does not stand in the ledger. */
const lastWindow = (ledger: string): number => {
  if (ledger === EMPTY_LEDGER) return -Infinity
  const start = ledger.lastIndexOf(" ") + 1
  const end = ledger.indexOf(":", start)
  const windows = ledger.slice(start, end)
  return windows.includes("+") ? runOf(windows).last : Number(windows)
}

/**
 * An upper bound of what was counted in a window, exact as long as the window stands by itself;
 * undefined where nothing is known of it.
 */
export const usedIn = (ledger: string, window: number): number | undefined =>
  window > lastWindow(ledger)
    ? undefined
    : runsOf(ledger).find(({ first, last }) => first <= window && window <= last)?.used

const inOrder = (runs: ReadonlyArray<Run>): ReadonlyArray<Run> =>
  runs.toSorted((left, right) => left.first - right.first)

/** The runs without one window. */
const without = (runs: ReadonlyArray<Run>, window: number): ReadonlyArray<Run> =>
  runs.flatMap((run) =>
    window < run.first || run.last < window
      ? [run]
      : [
          { ...run, last: window - 1 },
          { ...run, first: window + 1 }
        ].filter(({ first, last }) => first <= last)
  )

/** The ledger without one window. */
export const withoutWindow = (ledger: string, window: number): string =>
  window > lastWindow(ledger) ? ledger : textOf(without(runsOf(ledger), window))

/** The ledger with another count for one window. */
export const withUsed = (ledger: string, window: number, used: number): string => {
  const run = { first: window, last: window, used }
  if (ledger === EMPTY_LEDGER) return entryOf(run)
  return bounded(
    window > lastWindow(ledger)
      ? `${ledger} ${entryOf(run)}`
      : textOf(inOrder([...without(runsOf(ledger), window), run]))
  )
}

const bounded = (ledger: string): string =>
  ledger.length <= MAX_LENGTH ? ledger : thinned(ledger, THINNED_TO)

const merged = (left: Run, right: Run): Run => ({
  first: Math.min(left.first, right.first),
  last: Math.max(left.last, right.last),
  used: Math.max(left.used, right.used)
})

const sum = ({ first, last, used }: Run): number => (last - first + 1) * used

/** How many requests too many two neighbours would stand for as one run. */
const overstated = (left: Run, right: Run): number => sum(merged(left, right)) - sum(left) - sum(right)

/**
 * The runs with neighbours made one, up to `times`, where that overstates by no more than `most`.
 */
const mergedUpTo = (runs: ReadonlyArray<Run>, times: number, most: number): ReadonlyArray<Run> => {
  const result: Array<Run> = []
  let left = times
  for (const run of runs) {
    const before = result.at(-1)
    if (before === undefined || left === 0 || overstated(before, run) > most) result.push(run)
    else {
      result[result.length - 1] = merged(before, run)
      left--
    }
  }
  return result
}

/**
 * At most `entries` of them: neighbours become one with the greater count, those for which that
 * overstates least. A count is never understated.
 */
export const thinned = (ledger: string, entries: number): string => {
  let runs = runsOf(ledger)
  while (runs.length > entries) {
    const excess = runs.length - entries
    const costs = runs.slice(1).map((run, at) => overstated(runs[at] ?? run, run))
    costs.sort((left, right) => left - right)
    runs = mergedUpTo(runs, excess, costs[excess - 1] ?? Infinity)
  }
  return textOf(runs)
}

/** Understates neither: where the run meets others, they are one, with the greatest count. */
const union = (runs: ReadonlyArray<Run>, more: Run): ReadonlyArray<Run> => {
  const overlaps = ({ first, last }: Run): boolean => first <= more.last && more.first <= last
  return inOrder([
    ...runs.filter((run) => !overlaps(run)),
    runs.filter((run) => overlaps(run)).reduce(merged, more)
  ])
}

/** A ledger that has `used` requests at most in each of the windows `first` to `last`. */
export const withRange = (ledger: string, first: number, last: number, used: number): string =>
  bounded(textOf(union(runsOf(ledger), { first, last, used })))

/**
 * What was counted apart, in `ledger`, since both it and `others` were `base`, on top of what
 * others have counted meanwhile.
 */
export const addedLedger = (others: string, base: string, ledger: string): string => {
  let result = others
  for (const run of runsOf(ledger)) {
    const { first, last, used } = run
    const more = used - (usedIn(base, first) ?? 0)
    if (first !== last) result = base.includes(entryOf(run)) ? result : withRange(result, first, last, used)
    else if (more !== 0) result = withUsed(result, first, Math.max(0, (usedIn(result, first) ?? 0) + more))
  }
  return result
}
