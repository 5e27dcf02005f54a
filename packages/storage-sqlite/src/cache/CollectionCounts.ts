/**
 * The counts of one collection. Counting each new row at once would change one page more with every
 * commit that creates something. So the counts include the rows up to an id that is stored with
 * them, and a query adds the few rows after it. The stored counts catch up once in `CATCH_UP_EVERY`
 * ids. Changes of rows that are counted are stored with the commit that makes them.
 */
import type { Collection, KeptCount, NewRow, Row, Value } from "@petstore/core/storage"
import type { Command, Connection, Query } from "../driver/Driver.js"
import { indexName, sqlName } from "../base/names.js"
import type { RowCodec } from "../codec/RowCodec.js"
import type { TransactionCache } from "./TransactionCache.js"
import { CountIndex, type Uncounted } from "./CountIndex.js"

/** The counts catch up with each id that is a multiple of this. */
const CATCH_UP_EVERY = 64

/**
 * The id up to which the rows of `table` are counted: in a row of the counts, named after the
 * table.
 */
const countedToIn = (table: string): string =>
  `(SELECT count FROM kept_totals WHERE tally = '${table}')`

export class CollectionCounts implements TransactionCache {
  readonly indexes: ReadonlyArray<CountIndex>
  /** Rows whose ids are given by the caller, in any order, are counted at once. */
  readonly #isCountedAtOnce: boolean
  readonly #countedTo: Query<number>
  readonly #noteLast: Command
  /** The id up to which rows are counted, once the transaction has read it. */
  #last: number | undefined
  /** The transaction has inserted a row with whose id the counts catch up. */
  #isDue = false
  /** There may be something to store or to roll back. */
  #isTouched = false

  constructor(
    file: Connection,
    { name, key }: Collection<Row>,
    described: ReadonlyArray<KeptCount>,
    codec: RowCodec
  ) {
    const table = sqlName(name)
    this.#isCountedAtOnce = key === "given"
    const uncounted: Uncounted = {
      from: `FROM ${table} NOT INDEXED`,
      where: this.#isCountedAtOnce ? "FALSE" : `id > ${countedToIn(table)}`
    }
    this.indexes = described.map(
      (each) => new CountIndex(file, indexName(name, each.name), each.on, codec, uncounted)
    )
    this.#countedTo = file.values(`SELECT ${countedToIn(table)}`)
    this.#noteLast = file.command(
      `UPDATE kept_totals SET count = coalesce((SELECT max(id) FROM ${table}), 0)
        WHERE tally = '${table}'`
    )
  }

  /** Whether the row with this id is counted, so that changes of it must be. */
  includes(id: number): boolean {
    if (this.#isCountedAtOnce) return true
    this.#last ??= Number(this.#countedTo.get())
    return id <= this.#last
  }

  inserted(row: NewRow, id: number): void {
    if (!this.#isCountedAtOnce && id % CATCH_UP_EVERY !== 0) return
    this.#isTouched = true
    if (!this.#isCountedAtOnce) this.#isDue = true
    else for (const index of this.indexes) index.add(row, 1)
  }

  /** A row that is counted has other values in one of the indexes. */
  moved(index: CountIndex, before: Row, after: Row): void {
    this.#isTouched = true
    index.add(before, -1)
    index.add(after, 1)
  }

  /** A row that is counted was deleted. */
  removed(before: Row): void {
    this.#isTouched = true
    for (const index of this.indexes) index.add(before, -1)
  }

  /** How many rows have these values, in one of the indexes. */
  count(index: CountIndex, values: ReadonlyArray<Value>): number {
    if (this.#isDue) this.#catchUp()
    return index.count(values)
  }

  /** How many rows there are, by any of the indexes. */
  total(index: CountIndex): number {
    if (this.#isDue) this.#catchUp()
    return index.total()
  }

  /** Counts all rows that are in the table. */
  #catchUp(): void {
    for (const index of this.indexes) index.addUncounted()
    this.#noteLast.run()
    this.#last = undefined
  }

  readonly partKept = (): void => {
    if (this.#isTouched) for (const index of this.indexes) index.partKept()
  }

  /** What is kept of the transaction may still be due. */
  readonly partRolledBack = (): void => {
    this.#last = undefined
    if (this.#isTouched) for (const index of this.indexes) index.partRolledBack()
  }

  readonly committing = (): void => {
    if (!this.#isTouched) return
    if (this.#isDue) this.#catchUp()
    for (const index of this.indexes) index.committing()
    this.#isDue = false
    this.#isTouched = false
  }

  readonly invalidated = (): void => {
    this.#last = undefined
    if (!this.#isTouched) return
    for (const index of this.indexes) index.invalidated()
    this.#isDue = false
    this.#isTouched = false
  }
}
