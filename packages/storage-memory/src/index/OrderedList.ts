/**
 * The ids of some rows in the order of one sort column, then of id: a list of runs. Finding a place is two binary
 * searches, changing one touches one run, and reading entries in order costs those entries and, once, the order of their runs.
 */
import { compareEntries, type Entry, type RowOf } from "./Entry.js"
import type { Interval } from "./Interval.js"
import type { Owner } from "../Owner.js"
import { RUN_LIMIT } from "./Room.js"
import { Run } from "./Run.js"

/** A place between entries: a run and an offset in it, as one number, so that finding a place allocates nothing. */
type Place = number
const STRIDE = 2 * RUN_LIMIT
const runOf = (place: Place): number => Math.floor(place / STRIDE)
const offsetIn = (place: Place): number => place % STRIDE

/** A list begins with room for so many entries. */
const FIRST_ROOM = 32

export class OrderedList {
  readonly #owner: Owner
  readonly #sort: string
  readonly #runs: Array<Run>
  /** Head and tail of where each run starts, so that finding a run among many reads one small array. */
  readonly #starts: Array<number>
  #size: number

  private constructor(owner: Owner, sort: string, runs: Array<Run>, starts: Array<number>, size: number) {
    this.#owner = owner
    this.#sort = sort
    this.#runs = runs
    this.#starts = starts
    this.#size = size
  }

  /** A list of one entry, in the order of this column. */
  static of(owner: Owner, sort: string, entry: Entry): OrderedList {
    return new OrderedList(owner, sort, [Run.of(owner, sort, entry, FIRST_ROOM)], [entry.head, entry.tail], 1)
  }

  get size(): number {
    return this.#size
  }

  ownedBy(owner: Owner): OrderedList {
    if (this.#owner === owner) return this
    return new OrderedList(owner, this.#sort, this.#runs.slice(), this.#starts.slice(), this.#size)
  }

  insert(entry: Entry, rowOf: RowOf): void {
    this.#size++
    const index = this.#runHolding(entry)
    const run = this.#own(index)
    if (run === undefined) this.#append(entry)
    else if (run.length < RUN_LIMIT) run.add(entry)
    else if (index === this.#runs.length - 1 && run.endsBefore(entry)) this.#append(entry)
    else {
      const high = run.split(rowOf)
      this.#runs.splice(index + 1, 0, high)
      this.#starts.splice(2 * index + 2, 0, high.start.head, high.start.tail)
      ;(compareEntries(entry, high.start) < 0 ? run : high).add(entry)
    }
  }

  /** Removes an entry that is in the list. */
  remove(entry: Entry, rowOf: RowOf): void {
    const index = this.#runHolding(entry)
    const run = this.#own(index)
    if (run?.remove(entry, rowOf) !== true) throw new Error(`the index has no entry for the row ${entry.id}`)
    this.#size--
    if (run.length > 0) return
    this.#runs.splice(index, 1)
    this.#starts.splice(2 * index, 2)
  }

  /** At most `limit` ids of the interval, from its lower edge upwards or from its upper edge downwards. */
  ids(interval: Interval, descending: boolean, limit: number, rowOf: RowOf): Array<number> {
    const start = this.#placeOf(interval.lower, 0, rowOf)
    const end = this.#placeOf(interval.upper, this.#end, rowOf)
    return descending ? this.#down(start, end, limit, rowOf) : this.#up(start, end, limit, rowOf)
  }

  count(interval: Interval, rowOf: RowOf): number {
    if (interval.lower === null && interval.upper === null) return this.#size
    const start = this.#placeOf(interval.lower, 0, rowOf)
    const end = this.#placeOf(interval.upper, this.#end, rowOf)
    if (end <= start) return 0
    let count = offsetIn(end) - offsetIn(start)
    for (let index = runOf(start); index < runOf(end); index++) count += this.#runs[index]?.length ?? 0
    return count
  }

  get #end(): Place {
    return this.#runs.length * STRIDE
  }

  #up(start: Place, end: Place, limit: number, rowOf: RowOf): Array<number> {
    const ids: Array<number> = []
    let offset = offsetIn(start)
    for (let index = runOf(start); index * STRIDE < end && ids.length < limit; index++, offset = 0) {
      const run = this.#runs[index]
      if (run === undefined) break
      const stop = index === runOf(end) ? offsetIn(end) : run.length
      run.order(rowOf)
      for (; offset < stop && ids.length < limit; offset++) ids.push(run.idAt(offset))
    }
    return ids
  }

  #down(start: Place, end: Place, limit: number, rowOf: RowOf): Array<number> {
    const ids: Array<number> = []
    const first = runOf(start)
    for (let index = runOf(end); index >= first && ids.length < limit; index--) {
      const run = this.#runs[index]
      if (run === undefined) continue
      const stop = index === first ? offsetIn(start) : 0
      let offset = index === runOf(end) ? offsetIn(end) : run.length
      run.order(rowOf)
      while (--offset >= stop && ids.length < limit) ids.push(run.idAt(offset))
    }
    return ids
  }

  #placeOf(edge: Entry | null, otherwise: Place, rowOf: RowOf): Place {
    if (edge === null) return otherwise
    const index = this.#runHolding(edge)
    const run = this.#runs[index]
    const offset = run?.offsetOf(edge, rowOf) ?? 0
    return run !== undefined && offset === run.length ? (index + 1) * STRIDE : index * STRIDE + offset
  }

  /** The last run that starts at or before the entry, or the first. */
  #runHolding(entry: Entry): number {
    const last = this.#runs.length - 1
    // What is counted up, as ids are, goes to the last run.
    if (last <= 0 || !this.#startsBehind(last, entry)) return Math.max(0, last)
    let low = 0
    let high = last - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#startsBehind(middle, entry)) high = middle - 1
      else low = middle
    }
    return low
  }

  #startsBehind(index: number, entry: Entry): boolean {
    const head = this.#starts[2 * index] ?? 0
    if (head !== entry.head) return head > entry.head
    const tail = this.#starts[2 * index + 1] ?? 0
    if (tail !== entry.tail) return tail > entry.tail
    const run = this.#runs[index]
    return run !== undefined && compareEntries(run.start, entry) > 0
  }

  #append(entry: Entry): void {
    this.#runs.push(Run.of(this.#owner, this.#sort, entry, RUN_LIMIT))
    this.#starts.push(entry.head, entry.tail)
  }

  #own(index: number): Run | undefined {
    const run = this.#runs[index]
    const owned = run?.ownedBy(this.#owner)
    if (owned !== undefined && owned !== run) this.#runs[index] = owned
    return owned
  }
}
