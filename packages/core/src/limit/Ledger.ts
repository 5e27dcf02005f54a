/**
 * How many requests were counted in each window, by the number of the window since 1970, as one short
 * text: "29455555:60 29455560..29455570:12". A range says that none of its windows has more than that.
 *
 * A text, because it is stored with every block and read only when the clock does something unusual.
 * The usual operations (count in the last window, begin a later one) look at its end alone.
 */

/** `used` requests at most in each of the windows `first` to `last`. */
type Run = { readonly first: number; readonly last: number; readonly used: number }

/** A ledger in which nothing is counted. */
export const EMPTY_LEDGER = ""

/** A longer text is thinned out. So 60 windows that were used one after the other stand exactly. */
const MAX_LENGTH = 768

/** Thinning leaves so many entries. */
const THINNED_TO = 48

const runOf = (entry: string): Run => {
  const [windows = "", used] = entry.split(":")
  const [first, last = first] = windows.split("..")
  return { first: Number(first), last: Number(last), used: Number(used) }
}

/** In ascending order, and none overlap. */
const runsOf = (ledger: string): ReadonlyArray<Run> =>
  ledger === EMPTY_LEDGER ? [] : ledger.split(" ").map(runOf)

const entryOf = ({ first, last, used }: Run): string =>
  first === last ? `${first}:${used}` : `${first}..${last}:${used}`

const textOf = (runs: ReadonlyArray<Run>): string => runs.map(entryOf).join(" ")

/** Before every window. */
const NONE: Run = { first: -Infinity, last: -Infinity, used: 0 }

const lastEntry = (ledger: string): string => ledger.slice(ledger.lastIndexOf(" ") + 1)

/** An upper bound of what was counted in a window; exact as long as the window stands by itself. */
export const usedIn = (ledger: string, window: number): number => {
  if (ledger === EMPTY_LEDGER) return 0
  const end = runOf(lastEntry(ledger))
  if (window > end.last) return 0
  if (window >= end.first) return end.used
  return runsOf(ledger).find(({ first, last }) => first <= window && window <= last)?.used ?? 0
}

/** The runs with another count for one window; with none where it is 0. */
const replaced = (runs: ReadonlyArray<Run>, window: number, used: number): ReadonlyArray<Run> =>
  [
    ...runs.flatMap((run) =>
      run.first <= window && window <= run.last
        ? [
            { ...run, last: window - 1 },
            { ...run, first: window + 1 }
          ].filter(({ first, last }) => first <= last)
        : [run]
    ),
    ...(used === 0 ? [] : [{ first: window, last: window, used }])
  ].toSorted((left, right) => left.first - right.first)

/** The ledger with another count for one window. */
export const withUsed = (ledger: string, window: number, used: number): string => {
  const tail = lastEntry(ledger)
  const end = tail === EMPTY_LEDGER ? NONE : runOf(tail)
  if (window > end.last) {
    if (used === 0) return ledger
    return bounded(`${ledger}${tail === EMPTY_LEDGER ? "" : " "}${window}:${used}`)
  }
  return end.first === window && end.last === window && used > 0
    ? `${ledger.slice(0, ledger.length - tail.length)}${window}:${used}`
    : bounded(textOf(replaced(runsOf(ledger), window, used)))
}

const bounded = (ledger: string): string =>
  ledger.length <= MAX_LENGTH ? ledger : thinned(ledger, THINNED_TO)

const merged = (left: Run, right: Run): Run => ({
  first: left.first,
  last: right.last,
  used: Math.max(left.used, right.used)
})

const sum = ({ first, last, used }: Run): number => (last - first + 1) * used

/** How many requests too many two neighbours would stand for as one run. */
const overstated = (left: Run, right: Run): number => sum(merged(left, right)) - sum(left) - sum(right)

/**
 * At most `entries` of them: neighbours become one with the greater count, those first for which that
 * overstates least. A count is never understated.
 */
export const thinned = (ledger: string, entries: number): string => {
  const runs = [...runsOf(ledger)]
  while (runs.length > entries) {
    let at = 0
    let least = Infinity
    for (const [index, right] of runs.entries()) {
      const left = runs[index - 1]
      const cost = left === undefined ? Infinity : overstated(left, right)
      if (cost >= least) continue
      least = cost
      at = index
    }
    const [left, right] = runs.slice(at - 1, at + 1)
    if (left === undefined || right === undefined) break
    runs.splice(at - 1, 2, merged(left, right))
  }
  return textOf(runs)
}

/** Two ledgers as one that understates neither: of a window that stands in both, the greater count. */
const union = (runs: ReadonlyArray<Run>, more: Run): ReadonlyArray<Run> => {
  const overlaps = ({ first, last }: Run): boolean => first <= more.last && more.first <= last
  const one = runs.filter(overlaps).reduce(
    (left, right) => ({
      first: Math.min(left.first, right.first),
      last: Math.max(left.last, right.last),
      used: Math.max(left.used, right.used)
    }),
    more
  )
  return [...runs.filter((run) => !overlaps(run)), one].toSorted((left, right) => left.first - right.first)
}

/**
 * What was counted apart, in `ledger`, since both it and `others` were `base`, on top of what others
 * have counted meanwhile.
 */
export const addedLedger = (others: string, base: string, ledger: string): string => {
  let sum = others
  for (const run of runsOf(ledger)) {
    const { first, last, used } = run
    const more = used - usedIn(base, first)
    if (first === last) sum = more === 0 ? sum : withUsed(sum, first, Math.max(0, usedIn(sum, first) + more))
    else if (!base.includes(entryOf(run))) sum = bounded(textOf(union(runsOf(sum), run)))
  }
  return sum
}

/** Both in one, where no window stands in both; else the greater of its counts. */
export const joinedLedger = (ledger: string, other: string): string =>
  bounded(textOf(runsOf(other).reduce(union, runsOf(ledger))))

/** A ledger that has `used` requests at most in each of the windows `first` to `last`. */
export const rangeLedger = (first: number, last: number, used: number): string =>
  used === 0 ? EMPTY_LEDGER : entryOf({ first, last, used })
