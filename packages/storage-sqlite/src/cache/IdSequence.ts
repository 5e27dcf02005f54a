/**
 * Keeps ids from being given twice. SQLite gives a new row the id after the greatest of its table,
 * which is right unless the row with a greater one was deleted. So deleting the greatest leaves a
 * note of its id; the next insert takes the id after that and deletes the note. Notes are rare.
 * They are read and written under the write lock, and committed with the rows they are about.
 */
import type { Command, Connection, Query } from "../driver/Driver.js"
import type { TransactionCache } from "./TransactionCache.js"

type Note = readonly [table: string, id: number]

export class IdSequence implements TransactionCache {
  readonly #all: Query<Note>
  readonly #note: Command
  readonly #drop: Command
  /** By table, once they were read. */
  #notes: Map<string, number> | undefined

  constructor(file: Connection) {
    this.#all = file.rows("SELECT name, id FROM last_ids")
    this.#note = file.command("INSERT INTO last_ids VALUES (?, ?)")
    this.#drop = file.command("DELETE FROM last_ids WHERE name = ?")
  }

  /** The id that the next row of a table must get; null where SQLite gives the right one. */
  next(table: string): number | null {
    const last = this.#read().get(table)
    return last === undefined ? null : last + 1
  }

  /** The row with the id of `next` was inserted. */
  used(table: string): void {
    this.#drop.run(table)
    this.#read().delete(table)
  }

  /** The row with the greatest id of a table is deleted. A note that is there has a greater one. */
  deleted(table: string, id: number): void {
    if (this.#read().has(table)) return
    this.#note.run(table, id)
    this.#read().set(table, id)
  }

  readonly forget = (): void => {
    this.#notes = undefined
  }

  readonly partKept = (): void => undefined
  readonly partRolledBack = this.forget
  readonly committing = (): void => undefined
  readonly invalidated = this.forget

  #read(): Map<string, number> {
    this.#notes ??= new Map(this.#all.all())
    return this.#notes
  }
}
