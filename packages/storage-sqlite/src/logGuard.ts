/** Keeps the write-ahead log bounded: while a reader in another process holds it, it can't be cut back and would fill the disk. */
import { statSync } from "node:fs"
import { StorageError } from "@petstore/core"

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Looks at the log's size at every so many commits; a commit can add some megabytes at most. */
const COMMITS_BETWEEN_LOOKS = 32

/**
 * Answers why no write can be taken, if the log has outgrown its bound. Once it has, every write first tries `cutBack`, which
 * succeeds as soon as the reader is gone.
 */
export const logGuard = (path: string, maxBytes: number, cutBack: () => void): (() => StorageError | undefined) => {
  let commits = 0
  let isOver = false
  return () => {
    if (!isOver && ++commits % COMMITS_BETWEEN_LOOKS !== 0) return undefined
    isOver = sizeOf(path) > maxBytes
    if (isOver) cutBack()
    isOver = isOver && sizeOf(path) > maxBytes
    return isOver
      ? new StorageError({ reason: "Busy", detail: `a reader keeps ${path} from being cut back below ${maxBytes} bytes` })
      : undefined
  }
}
