/**
 * How long the write-ahead log is, asked so that syncs don't pay for it. Once somebody has looked at the times of a file, as every `stat` does, Linux notes the time of
 * the next write exactly, and the sync that follows waits for the file system's journal too: 0.07 ms on top of 0.14. A read does not ask for them, and with
 * `O_NOATIME` leaves none.
 */
import { closeSync, constants, openSync, readSync } from "node:fs"

const BYTE = Buffer.alloc(1)

const QUIETLY = constants.O_RDONLY | (constants.O_NOATIME ?? 0)

/** Whether the file has more bytes than that; not if there is none. */
export const isLongerThan = (path: string, bytes: number): boolean => {
  const file = open(path)
  if (file === undefined) return false
  try {
    return readSync(file, BYTE, 0, 1, bytes) > 0
  } finally {
    closeSync(file)
  }
}

/** Only a file's owner may read it without leaving a time. */
const open = (path: string): number | undefined => {
  try {
    return openSync(path, QUIETLY)
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined
    if (codeOf(thrown) === "EPERM") return openSync(path, constants.O_RDONLY)
    throw thrown
  }
}

const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && "code" in thrown ? thrown.code : undefined
