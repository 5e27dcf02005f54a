/**
 * Marks a file and its log as belonging together. A log does not say for which file it was written.
 * So both have the session of the file in their first page, in `user_version`. See
 * migrations/version.ts.
 */
import type { Connection } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import { hasLog } from "./LogFiles.js"
import { renewSession, userVersionOf } from "../migrations/version.js"

/** A mark writes one more page, so only one in so many commits has it. */
const COMMITS_BETWEEN_MARKS = 64

export class Session {
  readonly #file: Connection
  readonly #path: string
  #hasBegun = false
  #commitsUntilMark = 0

  constructor(file: Connection, path: string) {
    this.#file = file
    this.#path = path
  }

  /**
   * To be called before the first transaction that writes. If the log is empty, the file gets a new
   * session, which is checkpointed before anything else is written. If a reader prevents that, the
   * log begins with a transaction that sets only the session.
   */
  begin(): void {
    if (this.#hasBegun) return
    if (!hasLog(this.#path)) {
      inTransaction(this.#file, "IMMEDIATE", () => this.#renew())
      this.#file.pragma("wal_checkpoint(TRUNCATE)")
    }
    this.#hasBegun = true
  }

  /** Checks again under the write lock: another process may have begun a session meanwhile. */
  #renew(): void {
    if (!hasLog(this.#path)) renewSession(this.#file)
  }

  /**
   * To be called within each transaction that writes: with any of them, SQLite may restart the log.
   */
  mark(): void {
    if (--this.#commitsUntilMark > 0) return
    this.#commitsUntilMark = COMMITS_BETWEEN_MARKS
    this.#file.pragma(`user_version = ${userVersionOf(this.#file)}`)
  }
}
