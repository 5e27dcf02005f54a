/**
 * The counts of one collection. To count each new row at once would write one more page with every
 * commit that inserts. So the stored counts include the rows up to an id that is stored with them,
 * and a query adds the few rows after it. The stored counts catch up once in `CATCH_UP_EVERY` ids.
 * A change of a row that is counted already is stored in the commit of the change.
 */
import type { Collection, StoredCount, NewRow, Row, Value } from "@petstore/core/storage"
import type { Command, Connection, Query } from "../driver/Driver.js"
import { indexName, sqlName } from "../base/names.js"
import type { RowCodec } from "../codec/RowCodec.js"
import type { TransactionCache } from "./TransactionCache.js"
import { CountIndex, type UncountedRows } from "./CountIndex.js"

/** The stored counts catch up when a row gets an id that is a multiple of this. */
const CATCH_UP_EVERY = 64

/**
 * The id up to which the stored counts include the rows of `table`. It is in `kept_totals` too, in
 * the row whose `tally` is the name of the table.
 */
const countedToSql = (table: string): string =>
  `(SELECT count FROM kept_totals WHERE tally = '${table}')`

export class CollectionCounts implements TransactionCache {
  readonly indexes: ReadonlyArray<CountIndex>
  /** If callers choose the ids, in any order, each row is counted when it is inserted. */
  readonly #isCountedImmediately: boolean
  readonly #selectCountedTo: Query<number>
  readonly #storeCountedTo: Command
  /** The id up to which rows are counted; undefined until the transaction reads it. */
  #countedTo: number | undefined
  /** The transaction has inserted a row whose id is a multiple of `CATCH_UP_EVERY`. */
  #isCatchUpDue = false
  /** The indexes may have changes to store or to discard. */
  #hasChanges = false

  constructor(
    file: Connection,
    { name, key }: Collection<Row>,
    declared: ReadonlyArray<StoredCount>,
    codec: RowCodec
  ) {
    const table = sqlName(name)
    this.#isCountedImmediately = key === "given"
    const uncounted: UncountedRows = {
      from: `FROM ${table} NOT INDEXED`,
      where: this.#isCountedImmediately ? "FALSE" : `id > ${countedToSql(table)}`
    }
    this.indexes = declared.map(
      (each) => new CountIndex(file, indexName(name, each.name), each.on, codec, uncounted)
    )
    this.#selectCountedTo = file.values(`SELECT ${countedToSql(table)}`)
    this.#storeCountedTo = file.command(
      `UPDATE kept_totals SET count = coalesce((SELECT max(id) FROM ${table}), 0)
        WHERE tally = '${table}'`
    )
  }

  /** Whether the stored counts include the row with this id, so that they must follow it. */
  includes(id: number): boolean {
    if (this.#isCountedImmediately) return true
    this.#countedTo ??= Number(this.#selectCountedTo.get())
    return id <= this.#countedTo
  }

  add(row: NewRow, id: number): void {
    if (!this.#isCountedImmediately && id % CATCH_UP_EVERY !== 0) return
    this.#hasChanges = true
    if (!this.#isCountedImmediately) this.#isCatchUpDue = true
    else for (const index of this.indexes) index.add(row, 1)
  }

  /** To be called when a counted row gets new values in one of the indexes. */
  update(index: CountIndex, before: Row, after: Row): void {
    this.#hasChanges = true
    index.add(before, -1)
    index.add(after, 1)
  }

  /** To be called when a counted row is deleted. */
  remove(before: Row): void {
    this.#hasChanges = true
    for (const index of this.indexes) index.add(before, -1)
  }

  /** How many rows have these values, in one of the indexes. */
  count(index: CountIndex, values: ReadonlyArray<Value>): number {
    if (this.#isCatchUpDue) this.#catchUp()
    return index.count(values)
  }

  /** How many rows there are. Any of the indexes gives the same number. */
  countAll(index: CountIndex): number {
    if (this.#isCatchUpDue) this.#catchUp()
    return index.countAll()
  }

  /** Includes all rows of the table in the counts. */
  #catchUp(): void {
    for (const index of this.indexes) index.addUncountedRows()
    this.#storeCountedTo.run()
    this.#countedTo = undefined
  }

  readonly releaseSavepoint = (): void => {
    if (this.#hasChanges) for (const index of this.indexes) index.releaseSavepoint()
  }

  /** A catch-up stays due: rows before the savepoint may need it. */
  readonly rollBackSavepoint = (): void => {
    this.#countedTo = undefined
    if (this.#hasChanges) for (const index of this.indexes) index.rollBackSavepoint()
  }

  readonly flush = (): void => {
    if (!this.#hasChanges) return
    if (this.#isCatchUpDue) this.#catchUp()
    for (const index of this.indexes) index.flush()
    this.#isCatchUpDue = false
    this.#hasChanges = false
  }

  readonly invalidate = (): void => {
    this.#countedTo = undefined
    if (!this.#hasChanges) return
    for (const index of this.indexes) index.invalidate()
    this.#isCatchUpDue = false
    this.#hasChanges = false
  }
}
