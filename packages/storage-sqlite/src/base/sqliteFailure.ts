/** What SQLite's result codes mean in the words of the port. */
import { StorageError, type StorageErrorReason } from "@petstore/core"

const REASONS: ReadonlyArray<readonly [prefix: string, reason: StorageErrorReason]> = [
  ["SQLITE_BUSY", "Busy"],
  ["SQLITE_LOCKED", "Busy"],
  ["SQLITE_PROTOCOL", "Busy"],
  ["SQLITE_FULL", "Full"],
  ["SQLITE_IOERR_SHMSIZE", "Full"],
  ["SQLITE_READONLY", "ReadOnly"],
  ["SQLITE_CORRUPT", "Corrupt"],
  ["SQLITE_NOTADB", "Corrupt"],
  ["SQLITE_IOERR_SHORT_READ", "Unavailable"],
  ["SQLITE_CANTOPEN", "Unavailable"],
  ["SQLITE_AUTH", "Unavailable"],
  ["SQLITE_PERM", "Unavailable"]
]

const DAMAGED = ", the file is damaged: look it through with verify, and go on with a backup"

/** What helps. Only a log is ever read in vain: of a file, SQLite asks the length first. */
const ADVICE: ReadonlyArray<readonly [prefix: string, advice: string]> = [
  ["SQLITE_CORRUPT", DAMAGED],
  ["SQLITE_NOTADB", DAMAGED],
  [
    "SQLITE_IOERR_SHORT_READ",
    ", the log (-wal) was deleted or cut off while another process had the file open; stop that process, which saves what it can, and try again"
  ]
]

/**
 * Codes for faults of a program: a null where there must be a value, an id that is used already.
 */
const DEFECTS = [
  "SQLITE_CONSTRAINT",
  "SQLITE_MISMATCH",
  "SQLITE_RANGE",
  "SQLITE_TOOBIG",
  "SQLITE_MISUSE"
]

const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && thrown.name === "SqliteError" && "code" in thrown
    ? String(thrown.code)
    : undefined

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

const isClosed = (thrown: unknown): boolean =>
  thrown instanceof TypeError && thrown.message === "The database connection is not open"

/**
 * The failure, if SQLite or the system threw it; undefined for anything else, which is a defect.
 */
export const failureOf = (thrown: unknown, doing: string): StorageError | undefined => {
  if (isClosed(thrown))
    return new StorageError({
      reason: "Unavailable",
      detail: `${doing}: the file was closed`,
      cause: thrown
    })
  const code = codeOf(thrown)
  if (code === undefined) return systemFailureOf(thrown, doing)
  if (DEFECTS.some((prefix) => code.startsWith(prefix))) return undefined
  const reason = REASONS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "Unknown"
  const advice = ADVICE.find(([prefix]) => code.startsWith(prefix))?.[1] ?? ""
  return new StorageError({ reason, detail: `${doing}: ${code}${advice}`, cause: thrown })
}

const WRITE_FAILURES = ["SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR"]

/** What a damaged file, or one that was cut off, may fail with when it is read. */
const READ_FAILURES: ReadonlySet<string> = new Set([
  "SQLITE_IOERR_READ",
  "SQLITE_IOERR_SHORT_READ",
  "SQLITE_IOERR_CORRUPTFS"
])

/** Whether something could not be written, as when the disk is full. */
export const isWriteFailure = (thrown: unknown): boolean => {
  const code = codeOf(thrown)
  return (
    code !== undefined &&
    WRITE_FAILURES.some((prefix) => code.startsWith(prefix)) &&
    !READ_FAILURES.has(code)
  )
}

/** The failure, or throws what is none. */
export const failureOrThrow = (thrown: unknown, doing: string): StorageError => {
  const failure = failureOf(thrown, doing)
  if (failure === undefined) throw thrown
  return failure
}
