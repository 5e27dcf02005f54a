/**
 * New rows of a table that are not in it yet. An insert costs more for the statement, which opens every index of its table, than for the row. So what a transaction
 * inserts one after the other goes in together, up to {@link MOST} rows by a statement: before anything else is asked of the table, and before the commit. The
 * write lock is held meanwhile, so the ids after the first one are known without SQLite, and those of later transactions as long as nobody else commits in
 * between. Rows of other tables may go in before them, which is right as long as SQLite does not enforce references (`foreign_keys`): the programs keep them.
 */
import type { Statement } from "better-sqlite3"
import type { Prepare } from "./IndexQueries.js"
import type { Bound } from "../codec/RowCodec.js"

/** Rows of one statement; with twice as many a row costs the same. */
const MOST = 32

export class Appends {
  readonly #prepare: Prepare
  readonly #into: string
  readonly #row: string
  readonly #together: boolean
  /** By how many rows they insert. */
  readonly #statements: Array<Statement | undefined> = []
  /** The values of the rows that wait, one row after the other. */
  #bound: Array<Bound> = []
  #waiting = 0
  /** The greatest id of the table, where it is known: from the first row that is inserted here, until others may have written. */
  #last: number | undefined

  /** Rows whose values, the id first, are those of `columns`; where not `together`, none waits. */
  constructor(prepare: Prepare, table: string, columns: ReadonlyArray<string>, together: boolean) {
    this.#together = together
    this.#prepare = prepare
    // What has gone in need not be taken out by itself where a row can't be stored: all of the program is undone.
    this.#into = `INSERT OR FAIL INTO ${table} (revision, ${columns.join(", ")}) VALUES `
    this.#row = `(1, ${columns.map(() => "?").join(", ")})`
  }

  /** The id of the next row, where it may wait; undefined where it has to be inserted at once. */
  get next(): number | undefined {
    return this.#last === undefined || this.#last >= Number.MAX_SAFE_INTEGER ? undefined : this.#last + 1
  }

  /** Inserts a row now, and answers its id: the one that SQLite gives where the first value is null. */
  now(bound: ReadonlyArray<Bound>): number | bigint {
    return this.#statement(1).run(...bound).lastInsertRowid
  }

  /** A row with this id, which is the greatest, is in the table. */
  follows(id: number): void {
    this.#last = id
  }

  /** Has a row wait under the id of `next`, or inserts it now. */
  later(id: number, bound: ReadonlyArray<Bound>): void {
    if (!this.#together) {
      this.now(bound)
      this.#last = id
      return
    }
    for (const value of bound) this.#bound.push(value)
    this.#last = id
    if (++this.#waiting === MOST) this.flush()
  }

  /** Puts what waits into the table. Where that fails it waits on, so that it fails again for whoever would commit. */
  flush(): void {
    if (this.#waiting === 0) return
    const width = this.#bound.length / this.#waiting
    let from = 0
    // By few statements, and few kinds of them: as many rows as the largest power of two.
    for (let rows = MOST; rows >= 1; rows /= 2) {
      if ((this.#waiting & rows) === 0) continue
      const end = from + rows * width
      // As arguments: the driver takes each value of an array out of it by itself, which takes longer than the row does.
      this.#statement(rows).run(...this.#bound.slice(from, end))
      from = end
    }
    this.#bound = []
    this.#waiting = 0
  }

  /** Ids that are given next are asked of SQLite again, since the row with the greatest one may be gone. */
  ask(): void {
    this.#last = undefined
  }

  /** Forgets what waits, and which ids there are: a transaction or a part of one was undone, or others have written. */
  forget(): void {
    this.#last = undefined
    if (this.#waiting === 0) return
    this.#bound = []
    this.#waiting = 0
  }

  #statement(rows: number): Statement {
    return (this.#statements[rows] ??= this.#prepare(
      this.#into + Array.from({ length: rows }, () => this.#row).join(", ")
    ))
  }
}
