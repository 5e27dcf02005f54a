/**
 * The ids of some rows in the order of one sort column, then of id: a list of runs. Finding a place is two binary
 * searches, changing one moves at most a run, and reading entries in order costs those entries.
 */
import type { Value } from "@petstore/core"
import type { Edge, Interval } from "./Interval.js"
import type { Owner } from "./Owner.js"
import { Run, RUN_LIMIT } from "./Run.js"

/** A place between entries: a run and an offset in it, as one number, so that finding a place allocates nothing. */
type Place = number
const STRIDE = 2 * RUN_LIMIT
const runOf = (place: Place): number => Math.floor(place / STRIDE)
const offsetOf = (place: Place): number => place % STRIDE

export class OrderedList {
  readonly #owner: Owner
  readonly #runs: Array<Run>
  readonly #keyed: boolean
  #size: number

  private constructor(owner: Owner, keyed: boolean, runs: Array<Run>, size: number) {
    this.#owner = owner
    this.#keyed = keyed
    this.#runs = runs
    this.#size = size
  }

  /** A list of one entry. In a list that is not `keyed`, entries are sorted by id and keys are null. */
  static of(owner: Owner, keyed: boolean, key: Value, id: number): OrderedList {
    return new OrderedList(owner, keyed, [new Run(owner, keyed ? [key] : null, [id])], 1)
  }

  get size(): number {
    return this.#size
  }

  ownedBy(owner: Owner): OrderedList {
    return this.#owner === owner ? this : new OrderedList(owner, this.#keyed, this.#runs.slice(), this.#size)
  }

  insert(key: Value, id: number): void {
    this.#size++
    const last = this.#runs.length - 1
    const isLast = this.#lastStandsBefore(key, id)
    const index = isLast ? last : this.#runHolding(key, id)
    const run = this.#own(index)
    if (run === undefined) {
      this.#runs.push(new Run(this.#owner, this.#keyed ? [key] : null, [id]))
    } else if (run.length < RUN_LIMIT) {
      run.insert(isLast ? run.length : run.offsetOf(key, id), key, id)
    } else if (isLast) {
      this.#runs.push(new Run(this.#owner, this.#keyed ? [key] : null, [id]))
    } else {
      this.#split(index, run)
      const half = this.#runs[this.#runHolding(key, id)]
      half?.insert(half.offsetOf(key, id), key, id)
    }
  }

  /** Removes an entry that is in the list. */
  remove(key: Value, id: number): void {
    const index = this.#runHolding(key, id)
    const run = this.#own(index)
    const offset = run?.offsetOf(key, id) ?? 0
    if (run === undefined || offset >= run.length || run.compareAt(offset, key, id) !== 0) {
      throw new Error(`the index has no entry for the row ${id}`)
    }
    this.#size--
    run.remove(offset)
    if (run.length === 0) this.#runs.splice(index, 1)
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
    let count = offsetOf(end) - offsetOf(start)
    for (let index = runOf(start); index < runOf(end); index++) count += this.#runs[index]?.length ?? 0
    return count
  }

  get #end(): Place {
    return this.#runs.length * STRIDE
  }

  #up(start: Place, end: Place, limit: number): Array<number> {
    const ids: Array<number> = []
    let offset = offsetOf(start)
    for (let index = runOf(start); index * STRIDE < end && ids.length < limit; index++, offset = 0) {
      const run = this.#runs[index]
      if (run === undefined) break
      const stop = index === runOf(end) ? offsetOf(end) : run.length
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
      const stop = index === first ? offsetOf(start) : 0
      let offset = index === runOf(end) ? offsetOf(end) : run.length
      while (--offset >= stop && ids.length < limit) ids.push(run.ids[offset] ?? 0)
    }
    return ids
  }

  #placeOf(edge: Edge | null, otherwise: Place): Place {
    if (edge === null) return otherwise
    const index = this.#runHolding(edge.key, edge.id)
    const run = this.#runs[index]
    const offset = run?.offsetOf(edge.key, edge.id) ?? 0
    return run !== undefined && offset === run.length ? (index + 1) * STRIDE : index * STRIDE + offset
  }

  /** The last run that starts at or before (key, id), or the first. */
  #runHolding(key: Value, id: number): number {
    let low = 0
    let high = this.#runs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#runs[middle]?.compareAt(0, key, id) ?? 0) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  #lastStandsBefore(key: Value, id: number): boolean {
    const run = this.#runs[this.#runs.length - 1]
    return run !== undefined && run.compareAt(run.length - 1, key, id) < 0
  }

  #own(index: number): Run | undefined {
    const run = this.#runs[index]
    const owned = run?.ownedBy(this.#owner)
    if (owned !== undefined && owned !== run) this.#runs[index] = owned
    return owned
  }

  #split(index: number, run: Run): void {
    const middle = run.length >>> 1
    this.#runs.splice(index, 1, run.slice(this.#owner, 0, middle), run.slice(this.#owner, middle, run.length))
  }
}
