/** What SQLite refused, whichever driver says so. */
import { nameOf } from "./resultCodes.js"

/** `resultCode` is SQLite's extended one (https://www.sqlite.org/rescode.html). */
export class SqliteError extends Error {
  override readonly name = "SqliteError"
  readonly resultCode: number

  constructor(message: string, resultCode: number, options?: ErrorOptions) {
    super(message, options)
    this.resultCode = resultCode
  }

  /** SQLite's word for the code: "SQLITE_BUSY". */
  get code(): string {
    return nameOf(this.resultCode)
  }
}

/** A connection that is closed was used. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed"
}
