/**
 * The totals of one collection. Its tallies don't count each new row as it comes, which would change a page more with every commit that creates something: they count
 * the rows up to an id that stands beside them, and whoever asks looks at the few rows after it. The tallies follow once in so many ids. What becomes of a row that they count
 * they follow at once, with the same commit.
 */
import type { Collection, NewRow, Row, Value } from "@petstore/core"
import type { Statement } from "better-sqlite3"
import type { Prepare } from "../table/IndexQueries.js"
import { sqlName } from "../base/names.js"
import type { RowCodec } from "../codec/RowCodec.js"
import { CountIndex, type CountDescription, type Uncounted } from "./CountIndex.js"

/** The tallies follow with each id that is a multiple of this. Looking at so many rows takes three microseconds. */
const FOLLOWED_EVERY = 64

/** The row of the table of totals that has the id which the tallies of `table` count up to: it is named after the table. */
const countedToIn = (table: string): string => `(SELECT count FROM kept_totals WHERE tally = '${table}')`

export class CollectionCounts {
  readonly tallies: ReadonlyArray<CountIndex>
  /** Of rows that bring their ids, which are in no order, every one is counted as it comes. */
  readonly #isCountedAtOnce: boolean
  readonly #countedTo: Statement
  readonly #noteLast: Statement
  /** The id that the tallies count up to, once the transaction has asked for it. */
  #last: number | undefined
  /** The transaction has inserted a row whose id says that the tallies shall follow. */
  #isDue = false
  /** There may be something to store or to undo. */
  #isTouched = false

  constructor(
    prepare: Prepare,
    { name, key }: Collection<Row>,
    described: ReadonlyArray<CountDescription>,
    codec: RowCodec
  ) {
    const table = sqlName(name)
    this.#isCountedAtOnce = key === "given"
    const uncounted: Uncounted = {
      from: `FROM ${table} NOT INDEXED`,
      where: this.#isCountedAtOnce ? "FALSE" : `id > ${countedToIn(table)}`
    }
    this.tallies = described.map((each) => new CountIndex(prepare, each, codec, uncounted))
    this.#countedTo = prepare(`SELECT ${countedToIn(table)}`).pluck()
    this.#noteLast = prepare(
      `UPDATE kept_totals SET count = coalesce((SELECT max(id) FROM ${table}), 0) WHERE tally = '${table}'`
    )
  }

  /** Whether the tallies count the row with this id, so that what becomes of it has to be told. */
  counts(id: number): boolean {
    if (this.#isCountedAtOnce) return true
    this.#last ??= Number(this.#countedTo.get())
    return id <= this.#last
  }

  /** A row was inserted under this id. */
  inserted(row: NewRow, id: number): void {
    if (!this.#isCountedAtOnce && id % FOLLOWED_EVERY !== 0) return
    this.#isTouched = true
    if (!this.#isCountedAtOnce) this.#isDue = true
    else for (const tally of this.tallies) tally.add(row, 1)
  }

  /** A row that the tallies count has other values in one of them. */
  moved(tally: CountIndex, before: Row, after: Row): void {
    this.#isTouched = true
    tally.add(before, -1)
    tally.add(after, 1)
  }

  /** A row that the tallies count is gone. */
  removed(before: Row): void {
    this.#isTouched = true
    for (const tally of this.tallies) tally.add(before, -1)
  }

  /** How many rows have the values of one of the tallies. */
  count(tally: CountIndex, values: ReadonlyArray<Value>): number {
    if (this.#isDue) this.#follow()
    return tally.count(values)
  }

  /** How many rows there are, by a tally that has each of them under one value. */
  total(tally: CountIndex): number {
    if (this.#isDue) this.#follow()
    return tally.total()
  }

  /** The tallies count all rows that are in the table. Who inserts so many that it takes long also waits long for them. */
  #follow(): void {
    for (const tally of this.tallies) tally.addUncounted()
    this.#noteLast.run()
    this.#last = undefined
  }

  /** Part of the transaction stays. */
  keep(): void {
    if (this.#isTouched) for (const tally of this.tallies) tally.keep()
  }

  /** Part of it is undone, the id up to which was counted as well. What stays of it may still be due. */
  undo(): void {
    this.#last = undefined
    if (this.#isTouched) for (const tally of this.tallies) tally.undo()
  }

  /** It is committed. */
  store(): void {
    if (!this.#isTouched) return
    if (this.#isDue) this.#follow()
    for (const tally of this.tallies) tally.store()
    this.#isDue = false
    this.#isTouched = false
  }

  /** All of it is undone, or others have written. */
  forget(): void {
    this.#last = undefined
    if (!this.#isTouched) return
    for (const tally of this.tallies) tally.forget()
    this.#isDue = false
    this.#isTouched = false
  }
}
