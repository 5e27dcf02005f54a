/**
 * The numbers of a collection's rows by one or two of their values. A transaction collects its
 * changes in memory and adds them to the stored numbers once, with the commit, under the write
 * lock: ten thousand pets of one category are one update.
 */
import { type KeptCount, type NewRow, type Value, valueOf } from "@petstore/core/storage"
import type { Command, Connection, Query } from "../driver/Driver.js"
import { CountDelta } from "./CountDelta.js"
import { sqlName } from "../base/names.js"
import type { RowCodec } from "../codec/RowCodec.js"
import type { TransactionCache } from "./TransactionCache.js"

/** In SQL, the rows that are not counted yet: see `CollectionCounts`. */
export type Uncounted = { readonly from: string; readonly where: string }

export class CountIndex implements TransactionCache {
  readonly on: ReadonlyArray<string>
  readonly #name: string
  readonly #codec: RowCodec
  readonly #get: Query<number>
  readonly #total: Query<number>
  readonly #add: Command
  readonly #uncounted: Query<readonly [first: number, second: number, rows: number]>
  /** Of the parts of the transaction that are kept, and of the current one. */
  readonly #kept = new CountDelta()
  readonly #part = new CountDelta()

  /** `name` is that of the count in the table of totals. */
  constructor(
    file: Connection,
    name: string,
    on: KeptCount["on"],
    codec: RowCodec,
    { from, where }: Uncounted
  ) {
    const [first, second = "0"] = on.map(sqlName)
    this.on = on
    this.#name = name
    this.#codec = codec
    this.#get = file.values(
      `SELECT coalesce((SELECT count FROM kept_totals
        WHERE tally = '${name}' AND first = ? AND second = ?), 0)
        + (SELECT count(*) ${from} WHERE ${where} AND ${first} = ? AND ${second} = ?)`
    )
    this.#total = file.values(
      `SELECT coalesce((SELECT sum(count) FROM kept_totals WHERE tally = '${name}'), 0)
        + (SELECT count(*) ${from} WHERE ${where})`
    )
    this.#add = file.command(
      `INSERT INTO kept_totals VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET count = count + excluded.count`
    )
    this.#uncounted = file.rows(
      `SELECT ${first}, ${second}, count(*) ${from} WHERE ${where} GROUP BY 1, 2`
    )
  }

  /** How many rows have these values, with the changes of the open transaction. */
  count(values: ReadonlyArray<Value>): number {
    const first = this.#code(0, values[0] ?? null)
    const second = this.#code(1, values[1] ?? null)
    const stored = Number(this.#get.get(first, second, first, second))
    return stored + this.#kept.of(first, second) + this.#part.of(first, second)
  }

  /** How many rows there are, whatever values they have. */
  total(): number {
    return Number(this.#total.get()) + this.#kept.total() + this.#part.total()
  }

  /** `rows` more rows have the values of this one. */
  add(row: NewRow, rows: 1 | -1): void {
    const [one, other] = this.on
    const first = this.#code(0, valueOf(row, one ?? ""))
    this.#part.add(first, other === undefined ? 0 : this.#code(1, valueOf(row, other)), rows)
  }

  /** Counts the rows that are not counted yet; the caller then notes that they are. */
  addUncounted(): void {
    for (const [first, second, rows] of this.#uncounted.all()) this.#part.add(first, second, rows)
  }

  #code(at: 0 | 1, value: Value): number {
    const column = this.on[at]
    return column === undefined ? 0 : Number(this.#codec.sought(column, value))
  }

  readonly partKept = (): void => {
    this.#part.each((first, second, rows) => this.#kept.add(first, second, rows))
    this.#part.clear()
  }

  readonly partRolledBack = (): void => this.#part.clear()

  readonly committing = (): void => {
    this.partKept()
    this.#kept.each((first, second, rows) => this.#add.run(this.#name, first, second, rows))
    this.#kept.clear()
  }

  readonly invalidated = (): void => {
    this.#part.clear()
    this.#kept.clear()
  }
}
