/** Asks the system about a file without opening it. */
import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { fileIdOf } from "../connection/OpenFiles.js"
import { processesWith } from "../connection/processes.js"
import type { FileInfo } from "./StoreStatus.js"

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const diskOf = (path: string): Pick<FileInfo, "diskBytes" | "diskFreeBytes"> => {
  try {
    const { bsize, blocks, bavail } = statfsSync(dirname(path))
    return { diskBytes: bsize * blocks, diskFreeBytes: bsize * bavail }
  } catch {
    return { diskBytes: undefined, diskFreeBytes: undefined }
  }
}

/** `path` must be without symbolic links. */
export const fileInfoOf = (path: string): FileInfo => {
  const id = fileIdOf(path)
  return {
    path,
    fileBytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    ...diskOf(path),
    processes: id === undefined ? [] : processesWith(id)
  }
}
