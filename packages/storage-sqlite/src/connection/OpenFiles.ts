/**
 * A registry of the database files that this process has open, by device and inode.
 *
 * On POSIX, closing any descriptor of a file drops every lock that the process has on it
 * (https://www.sqlite.org/howtocorrupt.html §2.2). SQLite handles that for its own descriptors. So
 * while the process has a connection, nothing else may open a descriptor on the database, its
 * `-wal` or its `-shm`, and no two copies of SQLite may have one file open: each would drop the
 * locks of the other. The process has one registry, even if it loads two copies of this package.
 */
import { readdirSync, statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"

/** Device and inode of a file. */
export type FileId = string

type OpenFile = {
  /** Identifies the copy of SQLite that has it open. */
  readonly library: unknown
  connections: number
}

const REGISTRY = Symbol.for("@petstore/storage-sqlite/open-files")

type Registry = Map<FileId, OpenFile>

/**
 * The registry of the process. Throws if another version of the package has made one of another
 * form: this version can't use it, and a second registry would not have the files of the first.
 */
const openFiles = (): Registry => {
  const registry: unknown = Reflect.get(globalThis, REGISTRY)
  if (isRegistry(registry)) return registry
  if (registry !== undefined) {
    throw new StorageError({
      reason: "Unavailable",
      detail:
        "another version of @petstore/storage-sqlite is loaded in this process, and records " +
        "its open files in another form; install one version for all packages (npm ls " +
        "@petstore/storage-sqlite)"
    })
  }
  const created: Registry = new Map()
  Reflect.set(globalThis, REGISTRY, created)
  return created
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

/** Undefined if there is no such file. Opens no descriptor. */
export const fileIdOf = (path: string): FileId | undefined => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** How many connections to the file this process has through this package. */
export const connectionsTo = (id: FileId): number => openFiles().get(id)?.connections ?? 0

/**
 * Registers that a copy of SQLite opens the file. The returned function undoes that; call it once,
 * after the file was closed.
 */
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
export type OpenConnection = {
  readonly file: Connection
  readonly id: FileId
  readonly close: () => void
}

/** Opens an existing file. Fails as `Busy` if the file is replaced meanwhile. */
export const connectTo = (
  driver: Driver,
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {}
): OpenConnection => {
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
 * Whether this process has a descriptor on the file. On Linux, descriptors of worker threads and of
 * other libraries count too; elsewhere only those of this package.
 */
export const isOpenHere = (id: FileId): boolean =>
  openFiles().has(id) || descriptorsOf("self").has(id)

/** The files that a process has open; empty except on Linux. */
export const descriptorsOf = (process: string): ReadonlySet<FileId> =>
  new Set(filesOf(process).keys())

/** A path to a file that this process has open, even if the file was moved; only on Linux. */
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
    // There is no /proc, or it does not show this process.
  }
  return found
}
