/**
 * The log of a file: `-wal`, and the `-shm` that says what of it is valid.
 *
 * When the `-wal` of an open file is deleted, its connections go on with the log that has no name,
 * and whoever opens the file anew makes another. All of them share one `-shm`. Once a newcomer has
 * written, the `-shm` describes the newcomer's log, and an old connection that checkpoints copies
 * pages of its own log by the other's index: that destroys the store. So does the checkpoint that
 * SQLite makes when the last connection is closed.
 */
import { statSync } from "node:fs"
import type { Connection } from "../driver/Driver.js"
import { connectTo, type Connected, type FileId, fileIdOf } from "./OpenFiles.js"

export type Log = { readonly wal: FileId | undefined; readonly shm: FileId | undefined }

export const logOf = (path: string): Log => ({
  wal: fileIdOf(`${path}-wal`),
  shm: fileIdOf(`${path}-shm`)
})

export const isSame = (one: Log, two: Log): boolean => one.wal === two.wal && one.shm === two.shm

/** Whether there is a `-wal` with anything in it. */
export const hasLog = (path: string): boolean =>
  (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Whether there is a `-wal` in which others have written. */
const hasOtherLog = (path: string, ours: Log, now: Log): boolean =>
  now.wal !== ours.wal && hasLog(path)

/** Whether the `-shm` still describes our log, whether or not that has a name. */
export const mayCheckpoint = (path: string, ours: Log): boolean => {
  const now = logOf(path)
  return now.shm === ours.shm && !hasOtherLog(path, ours, now)
}

/**
 * Whether others may have written to the file, or to our log, without our connections knowing: by a
 * `-shm` of their own, or to a `-wal` of their own. Both may be empty again; then the file tells.
 */
export const isTakenOver = (path: string, ours: Log, isFileUnchanged: () => boolean): boolean => {
  const now = logOf(path)
  if (hasOtherLog(path, ours, now)) return true
  if (now.shm === undefined || now.shm === ours.shm) return false
  return now.wal === ours.wal || !isFileUnchanged()
}

/**
 * Closes a connection whose log others have taken over. SQLite checkpoints when the last connection
 * is closed, unless it can't lock the file: so a second one, which can only read and therefore
 * never checkpoints, is there until after it.
 */
export const closeWithoutCheckpoint = ({ file, close }: Connected): void => {
  const guard = connectReadonly(file)
  close()
  guard?.close()
}

const connectReadonly = ({ driver, path }: Connection): Connected | undefined => {
  let connected: Connected | undefined
  try {
    connected = connectTo(driver, path, { readOnly: true })
    connected.file.pragma("user_version")
  } catch {
    // Without a file there is no checkpoint either; and it is locked before its log is read in
    // vain.
  }
  return connected
}
