/**
 * Counts the rows of a collection by one or two of their values. A transaction collects its changes
 * in memory and adds them to the stored counts once, before the commit, under the write lock: ten
 * thousand new pets of one category are one update.
 */
import { type StoredCount, type NewRow, type Value, valueOf } from "@petstore/core/storage"
import type { Command, Connection, Query } from "../driver/Driver.js"
import { CountDelta } from "./CountDelta.js"
import { sqlName } from "../base/names.js"
import type { RowCodec } from "../codec/RowCodec.js"
import type { TransactionCache } from "./TransactionCache.js"

/** Clauses of SQL for the rows that the stored counts do not include: see `CollectionCounts`. */
export type UncountedRows = { readonly from: string; readonly where: string }

export class CountIndex implements TransactionCache {
  readonly on: ReadonlyArray<string>
  readonly #name: string
  readonly #codec: RowCodec
  readonly #storedCount: Query<number>
  readonly #storedCountOfAll: Query<number>
  readonly #addToStored: Command
  readonly #uncountedRows: Query<readonly [first: number, second: number, rows: number]>
  /** Changes of the transaction before the current savepoint, and since. */
  readonly #transactionDelta = new CountDelta()
  readonly #savepointDelta = new CountDelta()

  /** `name` is the value of the column `tally` in `kept_totals`. */
  constructor(
    file: Connection,
    name: string,
    on: StoredCount["on"],
    codec: RowCodec,
    { from, where }: UncountedRows
  ) {
    const [first, second = "0"] = on.map(sqlName)
    this.on = on
    this.#name = name
    this.#codec = codec
    this.#storedCount = file.values(
      `SELECT coalesce((SELECT count FROM kept_totals
        WHERE tally = '${name}' AND first = ? AND second = ?), 0)
        + (SELECT count(*) ${from} WHERE ${where} AND ${first} = ? AND ${second} = ?)`
    )
    this.#storedCountOfAll = file.values(
      `SELECT coalesce((SELECT sum(count) FROM kept_totals WHERE tally = '${name}'), 0)
        + (SELECT count(*) ${from} WHERE ${where})`
    )
    this.#addToStored = file.command(
      `INSERT INTO kept_totals VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET count = count + excluded.count`
    )
    this.#uncountedRows = file.rows(
      `SELECT ${first}, ${second}, count(*) ${from} WHERE ${where} GROUP BY 1, 2`
    )
  }

  /** How many rows have these values, including the changes of the open transaction. */
  count(values: ReadonlyArray<Value>): number {
    const first = this.#code(0, values[0] ?? null)
    const second = this.#code(1, values[1] ?? null)
    const stored = Number(this.#storedCount.get(first, second, first, second))
    return (
      stored + this.#transactionDelta.of(first, second) + this.#savepointDelta.of(first, second)
    )
  }

  /** How many rows there are, with any values. */
  countAll(): number {
    return (
      Number(this.#storedCountOfAll.get()) +
      this.#transactionDelta.total() +
      this.#savepointDelta.total()
    )
  }

  /** Adds `rows` to the count of the values of this row. */
  add(row: NewRow, rows: 1 | -1): void {
    const [one, other] = this.on
    const first = this.#code(0, valueOf(row, one ?? ""))
    this.#savepointDelta.add(
      first,
      other === undefined ? 0 : this.#code(1, valueOf(row, other)),
      rows
    )
  }

  /** Adds the uncounted rows. The caller then stores that they are counted. */
  addUncountedRows(): void {
    for (const [first, second, rows] of this.#uncountedRows.all())
      this.#savepointDelta.add(first, second, rows)
  }

  #code(position: 0 | 1, value: Value): number {
    const column = this.on[position]
    return column === undefined ? 0 : Number(this.#codec.searchValue(column, value))
  }

  readonly releaseSavepoint = (): void => {
    this.#savepointDelta.each((first, second, rows) =>
      this.#transactionDelta.add(first, second, rows)
    )
    this.#savepointDelta.clear()
  }

  readonly rollBackSavepoint = (): void => this.#savepointDelta.clear()

  readonly flush = (): void => {
    this.releaseSavepoint()
    this.#transactionDelta.each((first, second, rows) =>
      this.#addToStored.run(this.#name, first, second, rows)
    )
    this.#transactionDelta.clear()
  }

  readonly invalidate = (): void => {
    this.#savepointDelta.clear()
    this.#transactionDelta.clear()
  }
}
