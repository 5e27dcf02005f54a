/** Looks at a file before SQLite does, so that what is not ours is refused with its path and without a byte changed. */
import { accessSync, closeSync, constants, openSync, readSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { APPLICATION_ID, SCHEMA_VERSION } from "./migrations/migrate.js"

const refuse = (reason: StorageErrorReason, detail: string, cause?: unknown): never => {
  throw new StorageError({ reason, detail, cause })
}

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    return refuse("Unavailable", `${path} can't be looked at`, cause)
  }
}

/** Mode bits count for root too, which could write all the same: whoever took them away meant it. */
const isWritable = (path: string, { mode }: Stats): boolean => {
  if ((mode & 0o222) === 0) return false
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Bytes of a SQLite file's header (https://www.sqlite.org/fileformat2.html §1.3). */
const HEADER_BYTES = 100
const MAGIC = "SQLite format 3\u0000"

const headerOf = (path: string): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  const file = openSync(path, "r")
  try {
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(file)
  }
}

const checkHeader = (path: string, size: number, hasLog: boolean): void => {
  const header = headerOf(path)
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    refuse("Corrupt", `${path} is not a SQLite file`)
  }
  const stored = header.readUInt16BE(16)
  const pageBytes = stored === 1 ? 65_536 : stored
  if (!hasLog && size < header.readUInt32BE(28) * pageBytes) refuse("Corrupt", `${path} is cut off: it was longer once`)
  if (header.readUInt32BE(68) !== APPLICATION_ID) refuse("Unavailable", `${path} belongs to another application`)
  const version = header.readUInt32BE(60)
  if (version > SCHEMA_VERSION) {
    refuse("NewerVersion", `${path} was written by a newer version: its schema is ${version}, this knows ${SCHEMA_VERSION}`)
  }
}

/** Whether the file is there and ours, or can be made; anything else is thrown as a `StorageError` that names the path. */
export const checkFile = (path: string): "existing" | "new" => {
  const folder = dirname(path)
  const around = statOf(folder) ?? refuse("Unavailable", `the folder of ${path} does not exist`)
  if (!around.isDirectory()) refuse("Unavailable", `the folder of ${path} is no folder`)
  const found = statOf(path)
  if (found === undefined) {
    return isWritable(folder, around) ? "new" : refuse("ReadOnly", `${path} can't be made: its folder is read-only`)
  }
  if (!found.isFile()) refuse("Unavailable", `${path} is ${found.isDirectory() ? "a folder" : "no file"}`)
  if (found.size === 0) refuse("Corrupt", `${path} is empty; delete it to start with a new store`)
  if (!isWritable(path, found)) refuse("ReadOnly", `${path} is read-only`)
  if (!isWritable(folder, around)) refuse("ReadOnly", `${path} can't be written: its folder is read-only`)
  checkHeader(path, found.size, (statOf(`${path}-wal`)?.size ?? 0) > 0)
  return "existing"
}
