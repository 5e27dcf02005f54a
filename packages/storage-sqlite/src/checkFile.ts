/** Looks at a file before SQLite does, so that what is not ours is refused with its path and without a byte changed. */
import { accessSync, constants, realpathSync, type Stats, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { type FileHeader, fileHeader, logHeader } from "./FileHeader.js"
import { APPLICATION_ID, SCHEMA_VERSION } from "./migrations/migrate.js"
import { pauseBriefly } from "./pause.js"

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

/** Whether the file's folder can be written. */
const isFolderWritable = (path: string): boolean => {
  const folder = dirname(path)
  const around = statOf(folder) ?? refuse("Unavailable", `the folder of ${path} does not exist`)
  if (!around.isDirectory()) refuse("Unavailable", `the folder of ${path} is no folder`)
  return isWritable(folder, around)
}

/** Whether a file can be made under this name; why not is thrown as a `StorageError`. */
export const checkNew = (path: string): void => {
  if (!isFolderWritable(path)) refuse("ReadOnly", `${path} can't be made: its folder is read-only`)
}

/** Whether the log has anything in it; then the file itself may be older, shorter, or in the middle of being written. */
const hasLog = (path: string): boolean => (statOf(`${path}-wal`)?.size ?? 0) > 0

/** Another process may write the file between two looks at it, so what seems cut off is looked at again. */
const LOOKS = 20

const checkLength = (path: string): FileHeader => {
  for (let looks = 1; ; looks++) {
    const logged = hasLog(path)
    const { header, size } = fileHeader(path)
    if (header === undefined) return refuse("Corrupt", `${path} is not a SQLite file`)
    if (logged || size >= header.bytes) return header
    if (looks === LOOKS)
      return refuse("Corrupt", `${path} is cut off: it was ${header.bytes} bytes long and has ${size}`)
    pauseBriefly()
  }
}

/** Beyond this a log is left to SQLite, so that looking does not take longer than opening. */
const MAX_LOG_BYTES = 64 * 2 ** 20

const newestHeader = (path: string): FileHeader => {
  const header = checkLength(path)
  const log = statOf(`${path}-wal`)
  if (log === undefined || log.size === 0 || log.size > MAX_LOG_BYTES) return header
  try {
    return logHeader(`${path}-wal`) ?? header
  } catch {
    return header // the last process that had it open has just deleted it
  }
}

const checkHeader = (path: string): void => {
  const { applicationId, schemaVersion } = newestHeader(path)
  if (applicationId !== APPLICATION_ID) refuse("Unavailable", `${path} belongs to another application`)
  if (schemaVersion > SCHEMA_VERSION) {
    refuse(
      "NewerVersion",
      `${path} was written by a newer version: its schema is ${schemaVersion}, this knows ${SCHEMA_VERSION}`
    )
  }
}

export type Checked = { readonly path: string; readonly state: "existing" | "new" }

/** A file that is there and can be ours, and why it can't be written, if it can't. */
type Found = { readonly path: string; readonly readOnly: string | undefined }

/** What is there under this name; undefined where nothing is. */
const find = (filename: string): Found | undefined => {
  // SQLite's driver takes blanks off the ends of names, and would open another file than the one that was looked at.
  if (filename !== filename.trim()) refuse("Unavailable", `"${filename}" begins or ends with a blank`)
  const asked = resolve(filename)
  const found = statOf(asked)
  if (found === undefined) return undefined
  const path = realpathSync(asked)
  if (!found.isFile()) refuse("Unavailable", `${path} is ${found.isDirectory() ? "a folder" : "no file"}`)
  if (found.size === 0) refuse("Corrupt", `${path} is empty; delete it to start with a new store`)
  const readOnly = !isWritable(path, found)
    ? `${path} is read-only`
    : !isFolderWritable(path)
      ? `${path} can't be written: its folder is read-only`
      : undefined
  return { path, readOnly }
}

/** Whether the file is there and ours, or can be made; anything else is thrown as a `StorageError` that names the path. */
export const checkFile = (filename: string): Checked => {
  const found = find(filename)
  if (found === undefined) {
    const path = resolve(filename)
    checkNew(path)
    return { path, state: "new" }
  }
  if (found.readOnly !== undefined) refuse("ReadOnly", found.readOnly)
  checkHeader(found.path)
  return { path: found.path, state: "existing" }
}

/** The same for who only looks: the file must be there, and may be read-only. */
export const checkReadable = (filename: string): { readonly path: string; readonly isWritable: boolean } => {
  const { path, readOnly } = find(filename) ?? refuse("Unavailable", `${resolve(filename)} does not exist`)
  checkHeader(path)
  return { path, isWritable: readOnly === undefined }
}
