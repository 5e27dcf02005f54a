/** An error of SQLite, the same for each driver. */
import { nameOf } from "./resultCodes.js"

/** `resultCode` is an extended result code (https://www.sqlite.org/rescode.html). */
export class SqliteError extends Error {
  override readonly name = "SqliteError"
  readonly resultCode: number

  constructor(message: string, resultCode: number, options?: ErrorOptions) {
    super(message, options)
    this.resultCode = resultCode
  }

  /** The name of the code: "SQLITE_BUSY". */
  get code(): string {
    return nameOf(this.resultCode)
  }
}

/** A closed connection was used. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed"
}
