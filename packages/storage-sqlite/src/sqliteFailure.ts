/** What SQLite's result codes mean in the words of the port. */
import { StorageError, type StorageErrorReason } from "@petstore/core"

const REASONS: ReadonlyArray<readonly [prefix: string, reason: StorageErrorReason]> = [
  ["SQLITE_BUSY", "Busy"],
  ["SQLITE_LOCKED", "Busy"],
  ["SQLITE_FULL", "Full"],
  ["SQLITE_IOERR_SHMSIZE", "Full"],
  ["SQLITE_READONLY", "ReadOnly"],
  ["SQLITE_CORRUPT", "Corrupt"],
  ["SQLITE_NOTADB", "Corrupt"],
  ["SQLITE_CANTOPEN", "Unavailable"],
  ["SQLITE_AUTH", "Unavailable"],
  ["SQLITE_PERM", "Unavailable"]
]

const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && thrown.name === "SqliteError" && "code" in thrown ? String(thrown.code) : undefined

/** The failure, where SQLite threw it; undefined for anything else, which is a defect and goes on. */
export const failureOf = (thrown: unknown, doing: string): StorageError | undefined => {
  const code = codeOf(thrown)
  if (code === undefined) return undefined
  const reason = REASONS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "Unknown"
  return new StorageError({ reason, detail: `${doing}: ${code}`, cause: thrown })
}

/** Runs something on SQLite; its failures are thrown as the port's. */
export const translating = <A>(doing: string, run: () => A): A => {
  try {
    return run()
  } catch (thrown) {
    throw failureOf(thrown, doing) ?? thrown
  }
}
