/** What the system tells of a file without opening it. */
import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { fileIdOf } from "../connection/OpenFiles.js"
import { type ProcessInfo, processesWith } from "../connection/processes.js"

/** Sizes are in bytes; undefined is what the system does not tell. */
export type Surroundings = {
  /** The file, without links. */
  readonly path: string
  readonly fileBytes: number
  /** The write-ahead log beside it; 0 where there is none. */
  readonly logBytes: number
  readonly diskBytes: number | undefined
  /** What of the disk this user can still fill. */
  readonly diskFreeBytes: number | undefined
  /**
   * The other processes that have the file open. Linux tells; a user that is not root sees only its
   * own.
   */
  readonly processes: ReadonlyArray<ProcessInfo> | undefined
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const diskOf = (path: string): Pick<Surroundings, "diskBytes" | "diskFreeBytes"> => {
  try {
    const { bsize, blocks, bavail } = statfsSync(dirname(path))
    return { diskBytes: bsize * blocks, diskFreeBytes: bsize * bavail }
  } catch {
    return { diskBytes: undefined, diskFreeBytes: undefined }
  }
}

/** `path` is one without links. */
export const surroundingsOf = (path: string): Surroundings => {
  const id = fileIdOf(path)
  return {
    path,
    fileBytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    ...diskOf(path),
    processes: id === undefined ? [] : processesWith(id)
  }
}
