/** Looks at a file before SQLite does, so that what is not ours is refused with its path and without a byte changed. */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { newerVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { APPLICATION_ID, schemaOf, sessionOf } from "../migrations/version.js"
import { pauseBriefly } from "../pause.js"
import { unsuitableFileSystem } from "./fileSystem.js"
import { type FileHeader, type LogPeek, type Peek, peekAt } from "./peek.js"

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

/** What SQLite may have left beside a file, and would take for the file's own. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const

/** Those of a file that are there. */
export const companionsOf = (path: string): ReadonlyArray<string> =>
  COMPANIONS.map((suffix) => path + suffix).filter((each) => existsSync(each))

/** Whether a store can be kept in this place; why not is thrown as a `StorageError`. */
export const checkPlace = (path: string): void => {
  if (!isFolderWritable(path)) refuse("ReadOnly", `${path} can't be made: its folder is read-only`)
  const unsuitable = unsuitableFileSystem(path)
  if (unsuitable !== undefined) refuse("Unavailable", unsuitable)
}

/** The same for a new file. What is left of another file of the name is never taken over. */
export const checkNew = (path: string): void => {
  checkPlace(path)
  const [left] = companionsOf(path)
  // A file has its name before it has companions, so they are nobody's if it is still not there.
  if (left === undefined || existsSync(path)) return
  refuse(
    "Unavailable",
    `${path} does not exist, and ${left} is left of a file that had this name: put that file back, or move ${companionsOf(
      path
    )
      .map((each) => basename(each))
      .join(", ")} out of the way`
  )
}

/** Another process may write the file between two looks at it, so what seems cut off is looked at again. */
const LOOKS = 20

const wholePeek = (path: string): (Peek & { readonly header: FileHeader }) | undefined => {
  for (let looks = 1; ; looks++) {
    const peek = peekAt(path)
    if (peek === undefined) return undefined
    const { header, size, log } = peek
    if (header === undefined) return refuse("Corrupt", `${path} is not a SQLite file`)
    if (log !== undefined || size >= header.bytes || hasLog(path)) return { ...peek, header }
    if (looks === LOOKS)
      return refuse("Corrupt", `${path} is cut off: it was ${header.bytes} bytes long and has ${size}`)
    pauseBriefly()
  }
}

/** Whether the log has anything in it; then the file itself may be older, shorter, or in the middle of being written. */
const hasLog = (path: string): boolean => (statOf(`${path}-wal`)?.size ?? 0) > 0

/** A log that begins with another session than the file is in was written for another file, or for another state of it. */
const isForeign = ({ userVersion }: FileHeader, { first, startsSession }: LogPeek): boolean =>
  first !== undefined && !startsSession && sessionOf(first.userVersion) !== sessionOf(userVersion)

/** Whether the log beside a file, which this process has not open, is that of another one. */
export const hasForeignLog = (path: string): boolean => {
  const peek = peekAt(path)
  return peek?.header !== undefined && peek.log !== undefined && isForeign(peek.header, peek.log)
}

/**
 * Refuses what is no store of this version or an earlier one. While this process has the file open
 * it was looked at before: then the connection asks for its schema.
 */
const checkHeader = (path: string): void => {
  const peek = wholePeek(path)
  if (peek === undefined) return
  const { applicationId, userVersion } = peek.log?.newest ?? peek.header
  if (applicationId !== APPLICATION_ID) refuse("Unavailable", `${path} belongs to another application`)
  const schema = schemaOf(userVersion)
  if (schema > SCHEMA_VERSION) throw newerVersion(path, schema)
  if (peek.log !== undefined && isForeign(peek.header, peek.log)) {
    refuse(
      "Unavailable",
      `${path}-wal does not belong to ${path}: it is the log of another file or of another state of this one, and replaying it would damage the store. To go back to a backup use petstore restore; to keep ${path} as it is, move ${path}-wal and ${path}-shm out of the way`
    )
  }
}

export type Checked = { readonly path: string; readonly state: "existing" | "new" }

/** A file that is there and can be ours, and why it can't be written, if it can't. */
export type Found = { readonly path: string; readonly readOnly: string | undefined }

/** Names that SQLite takes for something else than a file. */
const checkName = (filename: string): void => {
  if (filename === "" || filename === ":memory:" || /^file:/i.test(filename)) {
    refuse(
      "Unavailable",
      `"${filename}" names no file: SQLite would take it for something else; name a file, or keep the store in memory (MemoryStorage, petstore serve --memory)`
    )
  }
  // SQLite's driver takes blanks off the ends of names, and would open another file than the one that was looked at.
  if (filename !== filename.trim()) refuse("Unavailable", `"${filename}" begins or ends with a blank`)
}

const MAX_LINKS = 40

/** What can't be looked at is no link: then its folder is at fault, which `checkNew` says. */
const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** Where a name leads that leads to nothing yet: to itself, or to the end of its symbolic links. */
export const destinationOf = (filename: string): string => {
  checkName(filename)
  let path = resolve(filename)
  for (let links = 0; ; links++) {
    if (!isLink(path)) return path
    if (links === MAX_LINKS) return refuse("Unavailable", `${resolve(filename)} is a link that leads nowhere`)
    const next = resolve(dirname(path), readlinkSync(path))
    if (statOf(dirname(next)) === undefined) {
      return refuse("Unavailable", `${resolve(filename)} is a link to ${next}, whose folder does not exist`)
    }
    path = next
  }
}

/** The other names that a file has in its folder. */
const otherNamesOf = (path: string): ReadonlyArray<string> => {
  const folder = dirname(path)
  const inodeOf = (each: string) => statSync(each, { throwIfNoEntry: false, bigint: true })?.ino
  const inode = inodeOf(path)
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((each) => each !== path && inodeOf(each) === inode)
}

/**
 * A second name of the file has a log of its own: what is written through one is lost to the other.
 * The name of an unfinished draft, left by a process that was killed while it made the file, is
 * taken away (`putInPlace`).
 */
const checkLinks = (path: string): void => {
  if (statSync(path).nlink <= 1) return
  for (const name of otherNamesOf(path)) if (name.startsWith(`${path}.new-`)) rmSync(name, { force: true })
  const { nlink } = statSync(path)
  if (nlink <= 1) return
  const known = otherNamesOf(path)
  refuse(
    "Unavailable",
    `${path} has ${nlink} names (hard links${known.length === 0 ? "" : `: ${known.join(", ")}`}): each would have a log of its own, and writes would be lost; remove the others, or copy the file with petstore backup`
  )
}

/** Where a name leads that leads to something; undefined where it leads to nothing. */
export const realPathOf = (filename: string): string | undefined => {
  checkName(filename)
  const asked = resolve(filename)
  return statOf(asked) === undefined ? undefined : realpathSync(asked)
}

/** What is there under this name; undefined where nothing is. */
export const findFile = (filename: string): Found | undefined => {
  const path = realPathOf(filename)
  if (path === undefined) return undefined
  const found = statSync(path)
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
  const found = findFile(filename)
  if (found === undefined) {
    const path = destinationOf(filename)
    checkNew(path)
    return { path, state: existsSync(path) ? "existing" : "new" }
  }
  const { path, readOnly } = found
  if (readOnly !== undefined) refuse("ReadOnly", readOnly)
  const unsuitable = unsuitableFileSystem(path)
  if (unsuitable !== undefined) refuse("Unavailable", unsuitable)
  checkLinks(path)
  checkHeader(path)
  return { path, state: "existing" }
}

/** The same for who only looks: the file must be there, and may be read-only. */
export const checkReadable = (filename: string): { readonly path: string; readonly isWritable: boolean } => {
  const { path, readOnly } =
    findFile(filename) ?? refuse("Unavailable", `${resolve(filename)} does not exist`)
  checkHeader(path)
  return { path, isWritable: readOnly === undefined }
}
