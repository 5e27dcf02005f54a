/**
 * One read transaction for reads that belong together. At the start of each read transaction SQLite
 * locks the log and finds its end, which costs more than reading a row.
 */
import type { Command, Connection } from "../driver/Driver.js"

export class ReadSnapshot {
  /** How many snapshots were opened so far, which is also the number of the open one. */
  openCount = 0
  readonly #file: Connection
  readonly #begin: Command
  readonly #end: Command
  readonly #rollback: Command
  #isOpen = false
  #isShared = false

  constructor(file: Connection) {
    this.#file = file
    this.#begin = file.command("BEGIN")
    this.#end = file.command("COMMIT")
    this.#rollback = file.command("ROLLBACK")
  }

  /**
   * Reads within `run` share the open snapshot, or the one that the first of them opens. The
   * snapshot stays open afterwards.
   */
  share(run: () => void): void {
    this.#isShared = true
    try {
      run()
    } finally {
      this.#isShared = false
    }
  }

  /** Whether a read is to use the shared snapshot. Opens it if so, and closes it if not. */
  isShared(): boolean {
    if (!this.#isShared) this.close()
    else if (!this.#isOpen) this.#open()
    return this.#isShared
  }

  /** Runs reads in one snapshot, and closes it. */
  runInOwnSnapshot<A>(run: () => A): A {
    this.#open()
    try {
      return run()
    } finally {
      this.close()
    }
  }

  /** Always ends the transaction: an open one would keep SQLite from checkpointing the log. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      if (this.#file.isInTransaction) this.#end.run()
    } finally {
      if (this.#file.isInTransaction) this.#rollback.run()
    }
  }

  /** SQLite takes the snapshot with the first statement that reads. */
  #open(): void {
    this.#begin.run()
    this.#isOpen = true
    this.openCount++
  }
}
