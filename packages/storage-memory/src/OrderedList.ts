/**
 * The ids of some rows in the order of one sort column, then of id: a list of runs. Finding a place is two binary
 * searches, changing one moves at most a run, and reading entries in order costs those entries.
 */
import type { Entry } from "./Entry.js"
import type { Interval } from "./Interval.js"
import type { Owner } from "./Owner.js"
import { Run, RUN_LIMIT } from "./Run.js"

/** A place between entries: a run and an offset in it, as one number, so that finding a place allocates nothing. */
type Place = number
const STRIDE = 2 * RUN_LIMIT
const runOf = (place: Place): number => Math.floor(place / STRIDE)
const offsetIn = (place: Place): number => place % STRIDE

export class OrderedList {
  readonly #owner: Owner
  readonly #keyed: boolean
  readonly #runs: Array<Run>
  /** The head of each run's first entry, so that finding a run among many reads one small array. */
  readonly #heads: Array<number>
  #size: number

  private constructor(owner: Owner, keyed: boolean, runs: Array<Run>, heads: Array<number>, size: number) {
    this.#owner = owner
    this.#keyed = keyed
    this.#runs = runs
    this.#heads = heads
    this.#size = size
  }

  /** A list of one entry. In a list that is not `keyed`, entries are sorted by id alone. */
  static of(owner: Owner, keyed: boolean, entry: Entry): OrderedList {
    return new OrderedList(owner, keyed, [Run.of(owner, keyed, entry)], [entry.head], 1)
  }

  get size(): number {
    return this.#size
  }

  ownedBy(owner: Owner): OrderedList {
    if (this.#owner === owner) return this
    return new OrderedList(owner, this.#keyed, this.#runs.slice(), this.#heads.slice(), this.#size)
  }

  insert(entry: Entry): void {
    this.#size++
    const last = this.#runs.length - 1
    const isLast = this.#lastStandsBefore(entry)
    const index = isLast ? last : this.#runHolding(entry)
    const run = this.#own(index)
    if (run === undefined || (isLast && run.length === RUN_LIMIT)) {
      this.#runs.push(Run.of(this.#owner, this.#keyed, entry))
      this.#heads.push(entry.head)
    } else if (run.length === RUN_LIMIT) {
      const [low, high] = run.halves(this.#owner)
      this.#runs.splice(index, 1, low, high)
      this.#heads.splice(index, 1, low.firstHead, high.firstHead)
      this.#insertInto(this.#runHolding(entry), entry)
    } else if (isLast) {
      run.insert(run.length, entry)
    } else {
      this.#insertInto(index, entry)
    }
  }

  /** Removes an entry that is in the list. */
  remove(entry: Entry): void {
    const index = this.#runHolding(entry)
    const run = this.#own(index)
    const offset = run?.offsetOf(entry) ?? 0
    if (run === undefined || offset >= run.length || run.compareAt(offset, entry) !== 0) {
      throw new Error(`the index has no entry for the row ${entry.id}`)
    }
    this.#size--
    run.remove(offset)
    if (run.length === 0) {
      this.#runs.splice(index, 1)
      this.#heads.splice(index, 1)
    } else if (offset === 0) {
      this.#heads[index] = run.firstHead
    }
  }

  /** At most `limit` ids of the interval, from its lower edge upwards or from its upper edge downwards. */
  ids(interval: Interval, descending: boolean, limit: number): Array<number> {
    const start = this.#placeOf(interval.lower, 0)
    const end = this.#placeOf(interval.upper, this.#end)
    return descending ? this.#down(start, end, limit) : this.#up(start, end, limit)
  }

  count(interval: Interval): number {
    if (interval.lower === null && interval.upper === null) return this.#size
    const start = this.#placeOf(interval.lower, 0)
    const end = this.#placeOf(interval.upper, this.#end)
    if (end <= start) return 0
    let count = offsetIn(end) - offsetIn(start)
    for (let index = runOf(start); index < runOf(end); index++) count += this.#runs[index]?.length ?? 0
    return count
  }

  get #end(): Place {
    return this.#runs.length * STRIDE
  }

  #up(start: Place, end: Place, limit: number): Array<number> {
    const ids: Array<number> = []
    let offset = offsetIn(start)
    for (let index = runOf(start); index * STRIDE < end && ids.length < limit; index++, offset = 0) {
      const run = this.#runs[index]
      if (run === undefined) break
      const stop = index === runOf(end) ? offsetIn(end) : run.length
      for (; offset < stop && ids.length < limit; offset++) ids.push(run.ids[offset] ?? 0)
    }
    return ids
  }

  #down(start: Place, end: Place, limit: number): Array<number> {
    const ids: Array<number> = []
    const first = runOf(start)
    for (let index = runOf(end); index >= first && ids.length < limit; index--) {
      const run = this.#runs[index]
      if (run === undefined) continue
      const stop = index === first ? offsetIn(start) : 0
      let offset = index === runOf(end) ? offsetIn(end) : run.length
      while (--offset >= stop && ids.length < limit) ids.push(run.ids[offset] ?? 0)
    }
    return ids
  }

  #placeOf(edge: Entry | null, otherwise: Place): Place {
    if (edge === null) return otherwise
    const index = this.#runHolding(edge)
    const run = this.#runs[index]
    const offset = run?.offsetOf(edge) ?? 0
    return run !== undefined && offset === run.length ? (index + 1) * STRIDE : index * STRIDE + offset
  }

  /** The last run that starts at or before the entry, or the first. */
  #runHolding(entry: Entry): number {
    let low = 0
    let high = this.#runs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      const head = this.#heads[middle] ?? 0
      const isBehind =
        head === entry.head ? (this.#runs[middle]?.compareAt(0, entry) ?? 0) > 0 : head > entry.head
      if (isBehind) high = middle - 1
      else low = middle
    }
    return low
  }

  #lastStandsBefore(entry: Entry): boolean {
    const run = this.#runs[this.#runs.length - 1]
    return run !== undefined && run.compareAt(run.length - 1, entry) < 0
  }

  #own(index: number): Run | undefined {
    const run = this.#runs[index]
    const owned = run?.ownedBy(this.#owner)
    if (owned !== undefined && owned !== run) this.#runs[index] = owned
    return owned
  }

  /** Inserts into a run that has room and is this list's own. */
  #insertInto(index: number, entry: Entry): void {
    const run = this.#runs[index]
    const offset = run?.offsetOf(entry) ?? 0
    run?.insert(offset, entry)
    if (offset === 0) this.#heads[index] = entry.head
  }
}
