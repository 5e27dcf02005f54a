/** What SQLite's result codes mean in the words of the port. */
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { numberOf, primaryCode, primaryOf } from "../driver/resultCodes.js"
import { ConnectionClosed, SqliteError } from "../driver/SqliteError.js"

/** By extended codes, and by primary ones, which stand for all of their extensions. */
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

const DAMAGED = ", the file is damaged: look it through with verify, and go on with a backup"

/** What helps. Only a log is ever read in vain: of a file, SQLite asks the length first. */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [primaryCode("CORRUPT"), DAMAGED],
  [primaryCode("NOTADB"), DAMAGED],
  [
    numberOf("SQLITE_IOERR_SHORT_READ"),
    ", the log (-wal) was deleted or cut off while another process had the file open; stop " +
      "that process, which saves what it can, and try again"
  ]
])

/** What is said of a code, or else of its primary one. */
const saidOf = <A>(said: ReadonlyMap<number, A>, code: number): A | undefined =>
  said.get(code) ?? said.get(primaryOf(code))

/**
 * Codes for faults of a program: a null where there must be a value, an id that is used already.
 */
const DEFECTS: ReadonlySet<number> = new Set([
  primaryCode("CONSTRAINT"),
  primaryCode("MISMATCH"),
  primaryCode("RANGE"),
  primaryCode("TOOBIG"),
  primaryCode("MISUSE")
])

/** A file or folder that can't be looked at or written. */
const systemFailureOf = (thrown: unknown, doing: string): StorageError | undefined => {
  if (!(thrown instanceof Error) || !("syscall" in thrown) || !("code" in thrown)) return undefined
  const isFull = thrown.code === "ENOSPC" || thrown.code === "EDQUOT"
  return new StorageError({
    reason: isFull ? "Full" : "Unavailable",
    detail: `${doing}: ${thrown.message}`,
    cause: thrown
  })
}

/**
 * The failure, if SQLite or the system threw it; undefined for anything else, which is a defect.
 */
export const failureOf = (thrown: unknown, doing: string): StorageError | undefined => {
  if (thrown instanceof ConnectionClosed)
    return new StorageError({
      reason: "Unavailable",
      detail: `${doing}: the file was closed`,
      cause: thrown
    })
  if (!(thrown instanceof SqliteError)) return systemFailureOf(thrown, doing)
  const { resultCode, code } = thrown
  if (DEFECTS.has(primaryOf(resultCode))) return undefined
  const reason = saidOf(REASONS, resultCode) ?? "Unknown"
  const advice = saidOf(ADVICE, resultCode) ?? ""
  return new StorageError({ reason, detail: `${doing}: ${code}${advice}`, cause: thrown })
}

const WRITE_FAILURES: ReadonlySet<number> = new Set([
  primaryCode("FULL"),
  primaryCode("READONLY"),
  primaryCode("CANTOPEN"),
  primaryCode("IOERR")
])

/** What a damaged file, or one that was cut off, may fail with when it is read. */
const READ_FAILURES: ReadonlySet<number> = new Set([
  numberOf("SQLITE_IOERR_READ"),
  numberOf("SQLITE_IOERR_SHORT_READ"),
  numberOf("SQLITE_IOERR_CORRUPTFS")
])

/** Whether something could not be written, as when the disk is full. */
export const isWriteFailure = (thrown: unknown): boolean =>
  thrown instanceof SqliteError &&
  WRITE_FAILURES.has(primaryOf(thrown.resultCode)) &&
  !READ_FAILURES.has(thrown.resultCode)

/** The failure, or throws what is none. */
export const failureOrThrow = (thrown: unknown, doing: string): StorageError => {
  const failure = failureOf(thrown, doing)
  if (failure === undefined) throw thrown
  return failure
}
