/**
 * The writing transaction of a connection: takes the write lock first, knows when SQLite has given it up by itself, and tells the tables when what
 * they know of their rows begins, is stored, or is undone.
 */
import type { StorageError } from "@petstore/core"
import type { Database, Statement } from "better-sqlite3"
import { isNewer, newerVersion } from "./migrations/migrate.js"
import { failureOrThrow } from "./sqliteFailure.js"
import type { Tables } from "./Tables.js"

/** What holds on to rows, and to what is counted of them. */
type Known = Pick<Tables, "begun" | "store" | "kept" | "partUndone" | "undone">

export class Transaction {
  readonly #file: Database
  readonly #tables: Known
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #rollback: Statement
  readonly #savepoint: Statement
  readonly #release: Statement
  readonly #rollbackTo: Statement
  /** Whether a newer version has brought the file up to date. */
  #isNewer = false

  constructor(file: Database, tables: Known) {
    this.#file = file
    this.#tables = tables
    this.#begin = file.prepare("BEGIN IMMEDIATE")
    this.#commit = file.prepare("COMMIT")
    this.#rollback = file.prepare("ROLLBACK")
    this.#savepoint = file.prepare("SAVEPOINT program")
    this.#release = file.prepare("RELEASE program")
    this.#rollbackTo = file.prepare("ROLLBACK TO program")
  }

  /** Whether it was begun and not ended, by SQLite either. */
  get isOpen(): boolean {
    return this.#file.inTransaction
  }

  /** Takes the write lock without waiting. Answers why it can't be had, or may not: since a newer version has brought the file up to date. */
  begin(): StorageError | undefined {
    try {
      if (this.#file.inTransaction) this.abandon()
      this.#begin.run()
      if (this.#tables.begun()) this.#isNewer = isNewer(this.#file)
      if (!this.#isNewer) return undefined
      this.abandon()
      return newerVersion(this.#file.name)
    } catch (thrown) {
      this.abandon()
      return failureOrThrow(thrown, "begin")
    }
  }

  /** Makes everything since `begin` durable. Where that fails nothing of it remains, and it answers why. */
  commit(): StorageError | undefined {
    try {
      this.#tables.store()
      this.#commit.run()
      return undefined
    } catch (thrown) {
      this.abandon()
      return failureOrThrow(thrown, "commit")
    }
  }

  /** Undoes everything since `begin`, unless SQLite has done so. */
  abandon(): void {
    this.#tables.undone()
    if (!this.#file.inTransaction) return
    try {
      this.#rollback.run()
    } catch {
      // SQLite is still in the transaction, so that the next `begin` tries again, or fails and says why.
    }
  }

  /**
   * Runs a part whose writes stay if it answers true and are undone alone otherwise. Answers false when SQLite, out of room
   * or unable to write, has rolled back the whole transaction with it: then the other parts are gone too.
   */
  part(run: () => boolean): boolean {
    this.#savepoint.run()
    const keep = run()
    if (!this.#file.inTransaction) return false
    if (keep) this.#tables.kept()
    else {
      this.#rollbackTo.run()
      this.#tables.partUndone()
    }
    this.#release.run()
    return true
  }
}
