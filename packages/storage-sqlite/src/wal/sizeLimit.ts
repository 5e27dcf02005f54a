/**
 * Limits the size of the write-ahead log. While another process has a long read transaction, SQLite
 * can't truncate the log, and it would fill the disk.
 */
import { statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import { failureOf } from "../base/sqliteFailure.js"

/**
 * The size is read at most once in so many commits. After a `stat`, Linux records the time of the
 * next write exactly, and the sync that follows waits for that.
 */
const COMMITS_BETWEEN_CHECKS = 32

/**
 * SQLite never writes faster than this, since it checksums each page. So a log below half of its
 * limit need not be checked until the other half can have been written.
 */
const MAX_BYTES_PER_MS = 1_000_000

/**
 * Returns a function to be called before each transaction. It returns a failure while the log is
 * over its limit. Each call then first tries `checkpoint`, which succeeds once the reader has
 * finished.
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
      // `NameCheck` detects a missing log.
      return 0
    }
  }
  let commits = 0
  let nextCheckMs = Number.NEGATIVE_INFINITY
  let isOverLimit = false
  return () => {
    if (!isOverLimit && (++commits % COMMITS_BETWEEN_CHECKS !== 0 || nowMs() < nextCheckMs))
      return undefined
    const bytes = size()
    if (bytes <= maxBytes / 2) nextCheckMs = nowMs() + maxBytes / 2 / MAX_BYTES_PER_MS
    isOverLimit = bytes > maxBytes
    if (!isOverLimit) return undefined
    try {
      checkpoint()
    } catch (thrown) {
      return (
        failureOf(thrown, "checkpoint the log") ??
        new StorageError({ reason: "Unknown", detail: path, cause: thrown })
      )
    }
    isOverLimit = size() > maxBytes
    return isOverLimit
      ? new StorageError({
          reason: "Busy",
          detail: `a reader keeps ${path} from being truncated below ${maxBytes} bytes`
        })
      : undefined
  }
}
