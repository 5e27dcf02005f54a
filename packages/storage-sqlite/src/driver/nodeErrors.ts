/** Maps errors of node:sqlite to errors of the port. */
import { primaryCode } from "./resultCodes.js"
import { ConnectionClosed, SqliteError } from "./SqliteError.js"

/** Deno has no code for errors of `exec` and of opening a file, only SQLite's message. */
const MESSAGES: ReadonlyArray<readonly [message: string, code: number]> = [
  ["database is locked", primaryCode("BUSY")],
  ["database table is locked", primaryCode("LOCKED")],
  ["attempt to write a readonly database", primaryCode("READONLY")],
  ["disk I/O error", primaryCode("IOERR")],
  ["database disk image is malformed", primaryCode("CORRUPT")],
  ["database or disk is full", primaryCode("FULL")],
  ["unable to open database file", primaryCode("CANTOPEN")],
  ["file is not a database", primaryCode("NOTADB")]
]

const codeByMessage = (message: string): number =>
  MESSAGES.find(([words]) => message.startsWith(words))?.[1] ?? primaryCode("ERROR")

const hasCode = (thrown: unknown, code: string): thrown is Error =>
  thrown instanceof Error && "code" in thrown && thrown.code === code

/** Whether an integer was above 2^53, which can't be read as a number. */
export const isOutOfRange = (thrown: unknown): boolean => hasCode(thrown, "ERR_OUT_OF_RANGE")

/** Returns errors that are not SQLite's unchanged. */
export const translated = (thrown: unknown): unknown => {
  if (hasCode(thrown, "ERR_INVALID_STATE"))
    return new ConnectionClosed(thrown.message, { cause: thrown })
  if (!hasCode(thrown, "ERR_SQLITE_ERROR")) return thrown
  const code = "errcode" in thrown ? thrown.errcode : undefined
  return new SqliteError(
    thrown.message,
    typeof code === "number" ? code : codeByMessage(thrown.message),
    { cause: thrown }
  )
}
