/**
 * The writing transaction of a connection: takes the write lock first, knows when SQLite has given
 * it up by itself, and tells the tables when what they know of their rows begins, is stored, or is
 * undone.
 */
import type { StorageError } from "@petstore/core"
import type { Command, Connection } from "../driver/Driver.js"
import type { NameCheck } from "../connection/NameCheck.js"
import type { Session } from "../connection/Session.js"
import { isNewer, newerVersion } from "../migrations/migrate.js"
import { schemaOf, userVersionOf } from "../migrations/version.js"
import { failureOrThrow } from "../base/sqliteFailure.js"
import type { Tables } from "../table/Tables.js"

/** What holds on to rows, and to what is counted of them. */
type Known = Pick<Tables, "began" | "partKept" | "partRolledBack" | "committing" | "invalidated">

/** What is looked at before anything is stored, and marked where it is. */
export type Surroundings = {
  readonly name: Pick<NameCheck, "now" | "saveLog">
  readonly session: Pick<Session, "begin" | "mark">
}

export class Transaction {
  readonly #file: Connection
  readonly #tables: Known
  readonly #around: Surroundings
  readonly #begin: Command
  readonly #commit: Command
  readonly #rollback: Command
  readonly #savepoint: Command
  readonly #release: Command
  readonly #rollbackTo: Command
  /**
   * Whether a newer version has changed the schema since it was opened, which is asked after the
   * commits of others. `upgrade` wants the file to itself, so no upgrade of this version can do
   * that. But a later version may upgrade otherwise, and locks may have been lost; and what this
   * version would write into tables that it does not know could not be undone.
   */
  #isNewer = false

  constructor(file: Connection, tables: Known, around: Surroundings) {
    this.#file = file
    this.#tables = tables
    this.#around = around
    this.#begin = file.command("BEGIN IMMEDIATE")
    this.#commit = file.command("COMMIT")
    this.#rollback = file.command("ROLLBACK")
    this.#savepoint = file.command("SAVEPOINT program")
    this.#release = file.command("RELEASE program")
    this.#rollbackTo = file.command("ROLLBACK TO program")
  }

  /** Whether it was begun and not ended, by SQLite either. */
  get isOpen(): boolean {
    return this.#file.isInTransaction
  }

  /**
   * Takes the write lock without waiting. Answers why it can't be had, or may not: since a newer
   * version has brought the file up to date.
   */
  begin(): StorageError | undefined {
    try {
      if (this.#file.isInTransaction) this.abandon()
      this.#around.session.begin()
      this.#begin.run()
      if (this.#tables.began()) this.#isNewer = isNewer(this.#file)
      if (!this.#isNewer) return undefined
      const newer = newerVersion(this.#file.path, schemaOf(userVersionOf(this.#file)))
      this.abandon()
      return newer
    } catch (thrown) {
      this.abandon()
      const failure = failureOrThrow(thrown, "begin")
      return this.#lost() ?? failure
    }
  }

  /**
   * Makes everything since `begin` durable, in the file that has the name under which it was
   * opened. Where that fails nothing of it remains, and it answers why.
   */
  commit(): StorageError | undefined {
    try {
      const lost = this.#lost()
      if (lost !== undefined) return lost
      this.#tables.committing()
      this.#around.session.mark()
      this.#commit.run()
      return undefined
    } catch (thrown) {
      this.abandon()
      const failure = failureOrThrow(thrown, "commit")
      return this.#lost() ?? failure
    }
  }

  /** Why nothing can be stored in the file any more, if so. Undoes the transaction then. */
  #lost(): StorageError | undefined {
    const lost = this.#around.name.now()
    if (lost === undefined) return undefined
    this.abandon()
    this.#around.name.saveLog()
    return lost
  }

  /** Undoes everything since `begin`, unless SQLite has done so. */
  abandon(): void {
    this.#tables.invalidated()
    if (!this.#file.isInTransaction) return
    try {
      this.#rollback.run()
    } catch {
      // SQLite is still in the transaction, so that the next `begin` tries again, or fails and says
      // why.
    }
  }

  /**
   * Runs a part whose writes stay if it answers true and are undone alone otherwise. Answers false
   * when SQLite, out of room or unable to write, has rolled back the whole transaction with it:
   * then the other parts are gone too.
   */
  part(run: () => boolean): boolean {
    this.#savepoint.run()
    const keep = run()
    if (!this.#file.isInTransaction) return false
    if (keep) this.#tables.partKept()
    else {
      this.#rollbackTo.run()
      this.#tables.partRolledBack()
    }
    this.#release.run()
    return true
  }
}
