/**
 * One state of the file, for reads that belong together. For each read transaction SQLite locks the
 * log and looks up its end, which costs more than finding a row.
 */
import type { Command, Connection } from "../driver/Driver.js"

export class ReadSnapshot {
  /** How many snapshots were opened so far: the number of the one that is open. */
  opened = 0
  readonly #file: Connection
  readonly #begin: Command
  readonly #end: Command
  readonly #abandon: Command
  #isOpen = false
  #isShared = false

  constructor(file: Connection) {
    this.#file = file
    this.#begin = file.command("BEGIN")
    this.#end = file.command("COMMIT")
    this.#abandon = file.command("ROLLBACK")
  }

  /**
   * Reads within `run` share the open snapshot, or the one that the first of them opens. It stays
   * open.
   */
  share(run: () => void): void {
    this.#isShared = true
    try {
      run()
    } finally {
      this.#isShared = false
    }
  }

  /** Whether a read may use the shared snapshot, which is then open. If not, it is closed. */
  isShared(): boolean {
    if (!this.#isShared) this.close()
    else if (!this.#isOpen) this.#open()
    return this.#isShared
  }

  /** Runs reads in a snapshot of their own. */
  alone<A>(run: () => A): A {
    this.#open()
    try {
      return run()
    } finally {
      this.close()
    }
  }

  /**
   * Always ends the transaction: one that stays open would keep the log from being checkpointed.
   */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      if (this.#file.isInTransaction) this.#end.run()
    } finally {
      if (this.#file.isInTransaction) this.#abandon.run()
    }
  }

  /** SQLite takes the snapshot with the first statement that reads. */
  #open(): void {
    this.#begin.run()
    this.#isOpen = true
    this.opened++
  }
}
