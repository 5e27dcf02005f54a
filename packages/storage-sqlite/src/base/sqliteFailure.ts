/** Translates result codes of SQLite into the failures of the port. */
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { numberOf, primaryCode, primaryOf } from "../driver/resultCodes.js"
import { ConnectionClosed, SqliteError } from "../driver/SqliteError.js"

/** By extended code, or by primary code for all of its extended codes. */
const REASONS: ReadonlyMap<number, StorageErrorReason> = new Map([
  [primaryCode("BUSY"), "Busy"],
  [primaryCode("LOCKED"), "Busy"],
  [primaryCode("PROTOCOL"), "Busy"],
  [primaryCode("FULL"), "Full"],
  [numberOf("SQLITE_IOERR_SHMSIZE"), "Full"],
  [primaryCode("READONLY"), "ReadOnly"],
  [primaryCode("CORRUPT"), "Corrupt"],
  [primaryCode("NOTADB"), "Corrupt"],
  [numberOf("SQLITE_IOERR_SHORT_READ"), "Unavailable"],
  [primaryCode("CANTOPEN"), "Unavailable"],
  [primaryCode("AUTH"), "Unavailable"],
  [primaryCode("PERM"), "Unavailable"]
])

const DAMAGED = ", the file is damaged: check it with petstore verify, and restore a backup"

/**
 * What the operator can do. A short read always means the log: SQLite checks the length of the file
 * before it reads it.
 */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [primaryCode("CORRUPT"), DAMAGED],
  [primaryCode("NOTADB"), DAMAGED],
  [
    numberOf("SQLITE_IOERR_SHORT_READ"),
    ", the log (-wal) was deleted or truncated while another process had the file open; stop " +
      "that process, which saves as much as possible, and try again"
  ]
])

/** The entry of a code, or else of its primary code. */
const entryOf = <A>(entries: ReadonlyMap<number, A>, code: number): A | undefined =>
  entries.get(code) ?? entries.get(primaryOf(code))

/** Codes for defects of a program: a null in a required column, an id that exists already. */
const DEFECTS: ReadonlySet<number> = new Set([
  primaryCode("CONSTRAINT"),
  primaryCode("MISMATCH"),
  primaryCode("RANGE"),
  primaryCode("TOOBIG"),
  primaryCode("MISUSE")
])

/** The failure of a system call on a file or folder. */
const systemFailureOf = (thrown: unknown, action: string): StorageError | undefined => {
  if (!(thrown instanceof Error) || !("syscall" in thrown) || !("code" in thrown)) return undefined
  const isFull = thrown.code === "ENOSPC" || thrown.code === "EDQUOT"
  return new StorageError({
    reason: isFull ? "Full" : "Unavailable",
    detail: `${action}: ${thrown.message}`,
    cause: thrown
  })
}

/**
 * The failure, if SQLite or the system threw it; undefined for anything else, which is a defect.
 */
export const failureOf = (thrown: unknown, action: string): StorageError | undefined => {
  if (thrown instanceof ConnectionClosed)
    return new StorageError({
      reason: "Unavailable",
      detail: `${action}: the file was closed`,
      cause: thrown
    })
  if (!(thrown instanceof SqliteError)) return systemFailureOf(thrown, action)
  const { resultCode, code } = thrown
  if (DEFECTS.has(primaryOf(resultCode))) return undefined
  const reason = entryOf(REASONS, resultCode) ?? "Unknown"
  const advice = entryOf(ADVICE, resultCode) ?? ""
  return new StorageError({ reason, detail: `${action}: ${code}${advice}`, cause: thrown })
}

const WRITE_FAILURES: ReadonlySet<number> = new Set([
  primaryCode("FULL"),
  primaryCode("READONLY"),
  primaryCode("CANTOPEN"),
  primaryCode("IOERR")
])

/** Codes for reads of a damaged or truncated file. */
const READ_FAILURES: ReadonlySet<number> = new Set([
  numberOf("SQLITE_IOERR_READ"),
  numberOf("SQLITE_IOERR_SHORT_READ"),
  numberOf("SQLITE_IOERR_CORRUPTFS")
])

/** Whether a write failed, for example because the disk is full. */
export const isWriteFailure = (thrown: unknown): boolean =>
  thrown instanceof SqliteError &&
  WRITE_FAILURES.has(primaryOf(thrown.resultCode)) &&
  !READ_FAILURES.has(thrown.resultCode)

/** The failure of the storage; throws anything else again. */
export const failureOrThrow = (thrown: unknown, action: string): StorageError => {
  const failure = failureOf(thrown, action)
  if (failure === undefined) throw thrown
  return failure
}
