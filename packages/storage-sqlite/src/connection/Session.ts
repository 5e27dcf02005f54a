/**
 * Marks the file and its log as belonging together. A log has no name of the file it was written
 * for, so the first page says it: the file's session, in `user_version`. See migrations/version.ts.
 */
import type { Connection } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import { hasLog } from "./log.js"
import { renewSession, userVersionOf } from "../migrations/version.js"

/** One page more in so many commits. */
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
   * To be called before the first transaction that writes. A file whose log is empty begins a
   * session of its own. It is checkpointed before anything else is written; where a reader prevents
   * that, the log begins with a transaction that has nothing but the session.
   */
  begin(): void {
    if (this.#hasBegun) return
    if (!hasLog(this.#path)) {
      inTransaction(this.#file, "IMMEDIATE", () => this.#renew())
      this.#file.pragma("wal_checkpoint(TRUNCATE)")
    }
    this.#hasBegun = true
  }

  /** Under the write lock: another process may have begun a session meanwhile. */
  #renew(): void {
    if (!hasLog(this.#path)) renewSession(this.#file)
  }

  /**
   * To be called within each transaction that writes. SQLite may start the log anew at any of them.
   */
  mark(): void {
    if (--this.#commitsUntilMark > 0) return
    this.#commitsUntilMark = COMMITS_BETWEEN_MARKS
    this.#file.pragma(`user_version = ${userVersionOf(this.#file)}`)
  }
}
