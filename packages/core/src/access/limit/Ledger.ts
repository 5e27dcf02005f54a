/**
 * The number of requests counted in each window, by the number of the window since 1970, as a short
 * text: "29455555:60 29455560+9:12". The second entry says that this window and the 9 after it have
 * at most 12 each. A text, because it is stored with every block and rarely read.
 */

/** At most `used` requests in each of the windows `first` to `last`. */
type Run = { readonly first: number; readonly last: number; readonly used: number }

/** A ledger without windows. */
export const EMPTY_LEDGER = ""

/**
 * The maximum length of the text; a longer one is compacted. Room for 60 consecutive windows with
 * exact counts.
 */
const MAX_LENGTH = 768

/** The number of entries after compaction. */
const COMPACT_ENTRIES = 48

const runOf = (entry: string): Run => {
  const [windows = "", used] = entry.split(":")
  const [start, more = 0] = windows.split("+")
  const first = Number(start)
  return { first, last: first + Number(more), used: Number(used) }
}

/** The last parsed ledger, since one decision reads the same one several times. */
let recent: { readonly ledger: string; readonly runs: ReadonlyArray<Run> } | undefined

/** In ascending order, without overlaps. */
const runsOf = (ledger: string): ReadonlyArray<Run> => {
  if (ledger === EMPTY_LEDGER) return []
  if (ledger !== recent?.ledger) recent = { ledger, runs: ledger.split(" ").map(runOf) }
  return recent.runs
}

const entryOf = ({ first, last, used }: Run): string =>
  first === last ? `${first}:${used}` : `${first}+${last - first}:${used}`

const textOf = (runs: ReadonlyArray<Run>): string => runs.map(entryOf).join(" ")

/** A quick check that finds most windows that are not in the ledger. */
const lastWindow = (ledger: string): number => {
  if (ledger === EMPTY_LEDGER) return -Infinity
  const start = ledger.lastIndexOf(" ") + 1
  const end = ledger.indexOf(":", start)
  const windows = ledger.slice(start, end)
  return windows.includes("+") ? runOf(windows).last : Number(windows)
}

/**
 * An upper bound of the count of a window, exact while the window has an entry of its own;
 * undefined if it has none.
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
  ledger.length <= MAX_LENGTH ? ledger : compact(ledger, COMPACT_ENTRIES)

const merged = (left: Run, right: Run): Run => ({
  first: Math.min(left.first, right.first),
  last: Math.max(left.last, right.last),
  used: Math.max(left.used, right.used)
})

const sum = ({ first, last, used }: Run): number => (last - first + 1) * used

/** The error of merging two neighbours, in requests. */
const overstated = (left: Run, right: Run): number =>
  sum(merged(left, right)) - sum(left) - sum(right)

/** Merges at most `times` pairs of neighbours, each with an error of at most `most`. */
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
 * Reduces the runs to `entries`: merges neighbours to one run with the greater count, those with
 * the least error first. Never understates a count.
 */
export const compact = (ledger: string, entries: number): string => {
  let runs = runsOf(ledger)
  while (runs.length > entries) {
    const excess = runs.length - entries
    const costs = runs.slice(1).map((run, at) => overstated(runs[at] ?? run, run))
    costs.sort((left, right) => left - right)
    runs = mergedUpTo(runs, excess, costs[excess - 1] ?? Infinity)
  }
  return textOf(runs)
}

/**
 * Adds a run. Runs that it overlaps are merged with it, with the greatest count, so no count is
 * understated.
 */
const union = (runs: ReadonlyArray<Run>, more: Run): ReadonlyArray<Run> => {
  const overlaps = ({ first, last }: Run): boolean => first <= more.last && more.first <= last
  return inOrder([
    ...runs.filter((run) => !overlaps(run)),
    runs.filter((run) => overlaps(run)).reduce(merged, more)
  ])
}

/** A ledger with at most `used` requests in each of the windows `first` to `last`. */
export const withRange = (ledger: string, first: number, last: number, used: number): string =>
  bounded(textOf(union(runsOf(ledger), { first, last, used })))

/**
 * Merges two ledgers that were counted separately since both were `base`: the counts of `ledger`
 * since then are added to `others`.
 */
export const addedLedger = (others: string, base: string, ledger: string): string => {
  let result = others
  for (const run of runsOf(ledger)) {
    const { first, last, used } = run
    const more = used - (usedIn(base, first) ?? 0)
    if (first !== last)
      result = base.includes(entryOf(run)) ? result : withRange(result, first, last, used)
    else if (more !== 0)
      result = withUsed(result, first, Math.max(0, (usedIn(result, first) ?? 0) + more))
  }
  return result
}
