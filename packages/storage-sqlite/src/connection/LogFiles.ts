/**
 * The log of a file: `-wal`, and `-shm`, which is the index of the valid frames in it.
 *
 * If the `-wal` of an open file is deleted, connections that have it open go on with the deleted
 * file, and connections that are opened later create a new `-wal`. Both share one `-shm`. Once a
 * new connection has written, the `-shm` describes the new `-wal`. If an old connection then
 * checkpoints, it copies pages of the old `-wal` by the index of the new one, which destroys the
 * store. SQLite also checkpoints when the last connection is closed.
 */
import { statSync } from "node:fs"
import type { Connection } from "../driver/Driver.js"
import { connectTo, type OpenConnection, type FileId, fileIdOf } from "./OpenFiles.js"

export type LogFiles = { readonly wal: FileId | undefined; readonly shm: FileId | undefined }

export const logFilesOf = (path: string): LogFiles => ({
  wal: fileIdOf(`${path}-wal`),
  shm: fileIdOf(`${path}-shm`)
})

export const isSameLog = (one: LogFiles, two: LogFiles): boolean =>
  one.wal === two.wal && one.shm === two.shm

/** Whether there is a `-wal` that is not empty. */
export const hasLog = (path: string): boolean =>
  (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Whether there is a `-wal` that other connections have created and written. */
const hasForeignWal = (path: string, own: LogFiles, current: LogFiles): boolean =>
  current.wal !== own.wal && hasLog(path)

/** Whether the `-shm` still describes our own `-wal`, which may be deleted. */
export const canCheckpoint = (path: string, own: LogFiles): boolean => {
  const current = logFilesOf(path)
  return current.shm === own.shm && !hasForeignWal(path, own, current)
}

/**
 * Whether other connections may have written to the file, or to our log, unnoticed by ours: with
 * another `-shm`, or to another `-wal`. If those are empty again, the file shows it.
 */
export const isLogReplaced = (
  path: string,
  own: LogFiles,
  isFileUnchanged: () => boolean
): boolean => {
  const current = logFilesOf(path)
  if (hasForeignWal(path, own, current)) return true
  if (current.shm === undefined || current.shm === own.shm) return false
  return current.wal === own.wal || !isFileUnchanged()
}

/**
 * Closes a connection whose log was replaced. SQLite checkpoints when it closes the last connection
 * to a file. So this opens a second one first, and closes it last. The second is read-only, and
 * therefore never checkpoints.
 */
export const closeWithoutCheckpoint = ({ file, close }: OpenConnection): void => {
  const guard = connectReadonly(file)
  close()
  guard?.close()
}

const connectReadonly = ({ driver, path }: Connection): OpenConnection | undefined => {
  let connected: OpenConnection | undefined
  try {
    connected = connectTo(driver, path, { readOnly: true })
    connected.file.pragma("user_version")
  } catch {
    // If there is no file, there is no checkpoint. If only reading the log failed, the connection
    // has locked the file by then, which is enough.
  }
  return connected
}
