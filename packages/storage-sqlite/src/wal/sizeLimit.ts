/**
 * Keeps the write-ahead log bounded: while a reader in another process holds it, it can't be cut
 * back and would fill the disk.
 */
import { statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import { failureOf } from "../base/sqliteFailure.js"

/**
 * The log's size is looked at once in so many commits at most. Linux notes the time of the next
 * write exactly once somebody has asked for the times of a file, and the sync that follows waits
 * for that.
 */
const COMMITS_BETWEEN_LOOKS = 32

/**
 * SQLite, which puts a checksum over each page, does not write so many bytes a millisecond: a log
 * that is shorter than half of its bound need not be looked at until the other half can have been
 * written.
 */
const MOST_BYTES_A_MS = 1_000_000

/**
 * Answers why no write can be taken, if the log has outgrown its bound: to be asked before each
 * commit. Once it has, every write first tries `checkpoint`, which succeeds as soon as the reader
 * is gone.
 */
export const sizeLimit = (
  path: string,
  maxBytes: number,
  checkpoint: () => void,
  nowMs: () => number
): (() => StorageError | undefined) => {
  const size = (): number => {
    try {
      return statSync(path).size
    } catch {
      // Whether the log is still there is for `NameCheck` to say.
      return 0
    }
  }
  let commits = 0
  let restsUntilMs = Number.NEGATIVE_INFINITY
  let wasOver = false
  return () => {
    if (!wasOver && (++commits % COMMITS_BETWEEN_LOOKS !== 0 || nowMs() < restsUntilMs))
      return undefined
    const bytes = size()
    if (bytes <= maxBytes / 2) restsUntilMs = nowMs() + maxBytes / 2 / MOST_BYTES_A_MS
    wasOver = bytes > maxBytes
    if (!wasOver) return undefined
    try {
      checkpoint()
    } catch (thrown) {
      return (
        failureOf(thrown, "checkpoint the log") ??
        new StorageError({ reason: "Unknown", detail: path, cause: thrown })
      )
    }
    wasOver = size() > maxBytes
    return wasOver
      ? new StorageError({
          reason: "Busy",
          detail: `a reader keeps ${path} from being cut back below ${maxBytes} bytes`
        })
      : undefined
  }
}
