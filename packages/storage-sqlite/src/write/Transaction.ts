/**
 * The writing transaction of a connection. It takes the write lock when it begins, detects that
 * SQLite has rolled it back, and passes its events on to the caches of the tables.
 */
import type { StorageError } from "@petstore/core"
import type { Command, Connection } from "../driver/Driver.js"
import type { NameCheck } from "../connection/NameCheck.js"
import type { Session } from "../connection/Session.js"
import { isNewer, newerVersion } from "../migrations/migrate.js"
import { schemaOf, userVersionOf } from "../migrations/version.js"
import { failureOrThrow } from "../base/sqliteFailure.js"
import type { Tables } from "../table/Tables.js"

/** The events of a transaction that caches of rows and of counts depend on. */
type TransactionEvents = Pick<
  Tables,
  "revalidate" | "releaseSavepoint" | "rollBackSavepoint" | "flush" | "invalidate"
>

/** Checks that the name still refers to the file, and marks that file and log belong together. */
export type FileIdentity = {
  readonly nameCheck: Pick<NameCheck, "check" | "salvageLog">
  readonly session: Pick<Session, "begin" | "mark">
}

export class Transaction {
  readonly #file: Connection
  readonly #tables: TransactionEvents
  readonly #identity: FileIdentity
  readonly #begin: Command
  readonly #commit: Command
  readonly #rollback: Command
  readonly #savepoint: Command
  readonly #release: Command
  readonly #rollbackTo: Command
  /**
   * Whether a newer version has changed the schema since this connection was opened. It is read
   * after another connection has committed. `upgrade` of this version locks the file, so it cannot
   * run meanwhile. But a later version may upgrade in another way, or a lock may be lost, and a
   * write into tables of an unknown schema could not be undone.
   */
  #isNewer = false

  constructor(file: Connection, tables: TransactionEvents, identity: FileIdentity) {
    this.#file = file
    this.#tables = tables
    this.#identity = identity
    this.#begin = file.command("BEGIN IMMEDIATE")
    this.#commit = file.command("COMMIT")
    this.#rollback = file.command("ROLLBACK")
    this.#savepoint = file.command("SAVEPOINT program")
    this.#release = file.command("RELEASE program")
    this.#rollbackTo = file.command("ROLLBACK TO program")
  }

  /** False before `begin`, after `commit` and `rollBack`, and once SQLite has rolled it back. */
  get isOpen(): boolean {
    return this.#file.isInTransaction
  }

  /**
   * Takes the write lock without waiting. Returns the failure if the lock is not available, or if a
   * newer version has changed the schema of the file.
   */
  begin(): StorageError | undefined {
    try {
      if (this.#file.isInTransaction) this.rollBack()
      this.#identity.session.begin()
      this.#begin.run()
      if (this.#tables.revalidate()) this.#isNewer = isNewer(this.#file)
      if (!this.#isNewer) return undefined
      const newer = newerVersion(this.#file.path, schemaOf(userVersionOf(this.#file)))
      this.rollBack()
      return newer
    } catch (thrown) {
      this.rollBack()
      const failure = failureOrThrow(thrown, "begin")
      return this.#checkName() ?? failure
    }
  }

  /**
   * Makes all writes since `begin` durable, provided that the name still refers to the file. If
   * that fails, it rolls them back and returns the failure.
   */
  commit(): StorageError | undefined {
    try {
      const lost = this.#checkName()
      if (lost !== undefined) return lost
      this.#tables.flush()
      this.#identity.session.mark()
      this.#commit.run()
      return undefined
    } catch (thrown) {
      this.rollBack()
      const failure = failureOrThrow(thrown, "commit")
      return this.#checkName() ?? failure
    }
  }

  /** If the name no longer refers to the file, rolls back and returns the failure. */
  #checkName(): StorageError | undefined {
    const lost = this.#identity.nameCheck.check()
    if (lost === undefined) return undefined
    this.rollBack()
    this.#identity.nameCheck.salvageLog()
    return lost
  }

  /** Undoes all writes since `begin`, unless SQLite has done so already. */
  rollBack(): void {
    this.#tables.invalidate()
    if (!this.#file.isInTransaction) return
    try {
      this.#rollback.run()
    } catch {
      // SQLite is still in the transaction. The next `begin` tries again, or returns the failure.
    }
  }

  /**
   * Runs `run` in a savepoint: keeps its writes if it returns true, and rolls them back otherwise.
   * Returns false if SQLite has rolled back the whole transaction, because the disk is full or
   * can't be written. The writes of earlier savepoints are then gone too.
   */
  runInSavepoint(run: () => boolean): boolean {
    this.#savepoint.run()
    const succeeded = run()
    if (!this.#file.isInTransaction) return false
    if (succeeded) this.#tables.releaseSavepoint()
    else {
      this.#rollbackTo.run()
      this.#tables.rollBackSavepoint()
    }
    this.#release.run()
    return true
  }
}
