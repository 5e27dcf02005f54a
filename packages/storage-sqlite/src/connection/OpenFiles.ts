/**
 * The database files that this process has open, by device and inode.
 *
 * On POSIX, closing any descriptor of a file gives up every lock that the process has on it
 * (https://www.sqlite.org/howtocorrupt.html §2.2). SQLite minds that for its own descriptors. So
 * nothing else may open one on a database, its `-wal` or its `-shm` while the process has a
 * connection to it, and no two copies of SQLite may have one file open: each would drop the locks
 * of the other. This registry is one for the process, also when two copies of the package are
 * loaded.
 */
import { readdirSync, statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"

/** Device and inode of a file. */
export type FileId = string

type OpenFile = {
  /** What stands for the copy of SQLite that has it open. */
  readonly library: unknown
  connections: number
}

const REGISTRY = Symbol.for("@petstore/storage-sqlite/open-files")

type Registry = Map<FileId, OpenFile>

/**
 * Throws where something else has the key: a registry of another form can't be joined, and a second
 * one would not know of the files in the first.
 */
const openFiles = (): Registry => {
  const found: unknown = Reflect.get(globalThis, REGISTRY)
  if (isRegistry(found)) return found
  if (found !== undefined) {
    throw new StorageError({
      reason: "Unavailable",
      detail:
        "another version of @petstore/storage-sqlite is loaded in this process, and notes " +
        "its open files in another form; install one version for all packages (npm ls " +
        "@petstore/storage-sqlite)"
    })
  }
  const made: Registry = new Map()
  Reflect.set(globalThis, REGISTRY, made)
  return made
}

const isRegistry = (found: unknown): found is Registry =>
  found instanceof Map &&
  [...found].every(([id, file]) => typeof id === "string" && isOpenFile(file))

const isOpenFile = (file: unknown): file is OpenFile =>
  typeof file === "object" &&
  file !== null &&
  "library" in file &&
  "connections" in file &&
  typeof file.connections === "number"

/** Undefined where there is no such file. Asks for no descriptor. */
export const fileIdOf = (path: string): FileId | undefined => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** How many connections to the file this process has through this package. */
export const connectionsTo = (id: FileId): number => openFiles().get(id)?.connections ?? 0

/** Notes that a copy of SQLite opens the file; to be taken back once, when it has closed it. */
export const register = (path: string, id: FileId, library: unknown): (() => void) => {
  const files = openFiles()
  const file = files.get(id) ?? { library, connections: 0 }
  if (file.library !== library) {
    throw new StorageError({
      reason: "Unavailable",
      detail:
        `${path} is open in this process through another copy of SQLite, and each would drop ` +
        "the locks of the other; open it by one driver (option driver, PETSTORE_DRIVER), " +
        "install one better-sqlite3 for all packages (npm ls better-sqlite3), or open the file " +
        "in two processes"
    })
  }
  file.connections++
  files.set(id, file)
  return () => {
    file.connections--
    if (file.connections === 0) files.delete(id)
  }
}

/** A connection that is registered until it is closed. */
export type Connected = {
  readonly file: Connection
  readonly id: FileId
  readonly close: () => void
}

/** Opens a file that is there. Fails as `Busy` where it is replaced meanwhile. */
export const connectTo = (
  driver: Driver,
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {}
): Connected => {
  const id = fileIdOf(path)
  if (id === undefined)
    throw new StorageError({ reason: "Unavailable", detail: `${path} does not exist` })
  const release = register(path, id, driver.library)
  try {
    const file = driver.open(path, { readOnly })
    const close = (): void => {
      if (!file.isOpen) return
      try {
        file.close()
      } finally {
        release()
      }
    }
    if (fileIdOf(path) === id) return { file, id, close }
    file.close()
  } catch (thrown) {
    release()
    throw thrown
  }
  release()
  throw new StorageError({ reason: "Busy", detail: `${path} was replaced while it was opened` })
}

/**
 * Whether the process has any descriptor on the file. Where the system lists descriptors, those of
 * worker threads and of other libraries count too; elsewhere those of this package.
 */
export const isOpenHere = (id: FileId): boolean =>
  openFiles().has(id) || descriptorsOf("self").has(id)

/** The files that a process has open, as far as the system tells (Linux). */
export const descriptorsOf = (process: string): ReadonlySet<FileId> =>
  new Set(filesOf(process).keys())

/**
 * A path to a file that this process has open, wherever it was moved, as far as the system tells.
 */
export const descriptorOf = (id: FileId): string | undefined => filesOf("self").get(id)

const filesOf = (process: string): ReadonlyMap<FileId, string> => {
  const folder = `/proc/${process}/fd`
  const found = new Map<FileId, string>()
  try {
    for (const descriptor of readdirSync(folder)) {
      try {
        const path = `${folder}/${descriptor}`
        const id = fileIdOf(path)
        if (id !== undefined) found.set(id, path)
      } catch {
        // It was closed meanwhile.
      }
    }
  } catch {
    // The system doesn't tell, or not of this process.
  }
  return found
}
