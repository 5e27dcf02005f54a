/**
 * Makes sure that no id is assigned twice. SQLite gives a new row the id after the greatest of its
 * table, which would reuse an id if the row with the greatest was deleted. So deleting that row
 * stores its id as a note in `last_ids`; the next insert takes the id after it and deletes the
 * note. Notes are rare. They are read and written under the write lock, in the transaction of the
 * rows that they are about.
 */
import type { Command, Connection, Query } from "../driver/Driver.js"
import type { TransactionCache } from "./TransactionCache.js"

type Note = readonly [table: string, id: number]

export class IdSequence implements TransactionCache {
  readonly #selectNotes: Query<Note>
  readonly #insertNote: Command
  readonly #deleteNote: Command
  /** Ids by table; undefined until they are read. */
  #notes: Map<string, number> | undefined

  constructor(file: Connection) {
    this.#selectNotes = file.rows("SELECT name, id FROM last_ids")
    this.#insertNote = file.command("INSERT INTO last_ids VALUES (?, ?)")
    this.#deleteNote = file.command("DELETE FROM last_ids WHERE name = ?")
  }

  /** The id that the next row of a table must get; null if SQLite assigns the right one. */
  next(table: string): number | null {
    const last = this.#read().get(table)
    return last === undefined ? null : last + 1
  }

  /** To be called after a row with the id of `next` was inserted. */
  afterInsert(table: string): void {
    this.#deleteNote.run(table)
    this.#read().delete(table)
  }

  /**
   * To be called before the row with the greatest id of a table is deleted. If there is a note
   * already, its id is greater.
   */
  beforeDelete(table: string, id: number): void {
    if (this.#read().has(table)) return
    this.#insertNote.run(table, id)
    this.#read().set(table, id)
  }

  readonly releaseSavepoint = (): void => undefined
  readonly rollBackSavepoint = (): void => this.invalidate()
  readonly flush = (): void => undefined
  readonly invalidate = (): void => {
    this.#notes = undefined
  }

  #read(): Map<string, number> {
    this.#notes ??= new Map(this.#selectNotes.all())
    return this.#notes
  }
}
