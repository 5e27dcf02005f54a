/**
 * Keeps ids from being given twice. SQLite gives a new row the id after the greatest of its table, which is right unless the row that had a
 * greater one was removed. So the removal of the greatest leaves a note of its id; the next insert takes the id after that, and takes the note away, since from
 * then on the rows tell again. There is hardly ever a note. The write lock is held from before the notes are read until what came of them is committed or
 * rolled back with the rows, so nobody inserts by old ones.
 */
import type { Statement } from "better-sqlite3"
import type { Prepare } from "../table/IndexQueries.js"

type Note = readonly [table: string, id: number]

export class IdSequence {
  readonly #all: Statement
  readonly #note: Statement
  readonly #drop: Statement
  /** By table, once they were asked for and as long as nobody else commits. */
  #notes: Map<string, number> | undefined

  constructor(prepare: Prepare) {
    this.#all = prepare("SELECT name, id FROM last_ids").raw()
    this.#note = prepare("INSERT INTO last_ids VALUES (?, ?)")
    this.#drop = prepare("DELETE FROM last_ids WHERE name = ?")
  }

  /** The id that the next row of a table has to be given; null where it is the one that SQLite gives. */
  next(table: string): number | null {
    const last = this.#read().get(table)
    return last === undefined ? null : last + 1
  }

  /** The row with the id of `next` is there. */
  taken(table: string): void {
    this.#drop.run(table)
    this.#read().delete(table)
  }

  /** The row with the greatest id of a table goes. Where there is a note, that is of a greater one. */
  gone(table: string, id: number): void {
    if (this.#read().has(table)) return
    this.#note.run(table, id)
    this.#read().set(table, id)
  }

  /** What was read may not be so any more: others have written, or something was undone. */
  forget(): void {
    this.#notes = undefined
  }

  #read(): Map<string, number> {
    this.#notes ??= new Map(this.#all.all() as ReadonlyArray<Note>)
    return this.#notes
  }
}
