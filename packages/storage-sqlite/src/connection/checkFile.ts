/**
 * Checks a file before SQLite opens it, so that a file which is no store is refused unchanged, with
 * its path in the message.
 */
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { checkHeader } from "./checkHeader.js"
import { newPathOf, existingPathOf } from "./fileName.js"
import { unsuitableFileSystem } from "./fileSystem.js"
import {
  checkLinks,
  checkNew,
  checkNoLeftovers,
  isFolderWritable,
  isWritable
} from "./storeLocation.js"
import { fail } from "./fail.js"

export type CheckedFile = { readonly path: string; readonly state: "existing" | "new" }

/** An existing file that may be a store. `readOnly` says why it can't be written, if so. */
export type FoundFile = { readonly path: string; readonly readOnly: string | undefined }

/** The file of this name; undefined if there is none. */
export const findFile = (filename: string): FoundFile | undefined => {
  const path = existingPathOf(filename)
  if (path === undefined) return undefined
  const stats = statSync(path)
  if (!stats.isFile())
    fail(
      "Unavailable",
      `${path} is ${stats.isDirectory() ? "a folder" : "no file"}; name the file of a store`
    )
  if (stats.size === 0) fail("Corrupt", `${path} is empty; delete it to start with a new store`)
  const readOnly = !isWritable(path, stats)
    ? `${path} is read-only`
    : !isFolderWritable(path)
      ? `${path} can't be written: its folder is read-only`
      : undefined
  return { path, readOnly }
}

/**
 * Checks that the file is a store, or does not exist and can be created. Throws a `StorageError`
 * with the path otherwise.
 */
export const checkFile = (filename: string): CheckedFile => {
  const found = findFile(filename)
  if (found === undefined) {
    const path = newPathOf(filename)
    checkNew(path)
    return { path, state: existsSync(path) ? "existing" : "new" }
  }
  const { path, readOnly } = found
  if (readOnly !== undefined) fail("ReadOnly", readOnly)
  const unsuitable = unsuitableFileSystem(path)
  if (unsuitable !== undefined) fail("Unavailable", unsuitable)
  checkLinks(path)
  checkHeader(path)
  return { path, state: "existing" }
}

/**
 * For the name of a missing file. Throws a `StorageError` if no store can be created there, because
 * SQLite would not take it as a file name, or because the log of an older file is there.
 */
export const checkMissing = (filename: string): void => checkNoLeftovers(newPathOf(filename))

/** Like `checkFile`, for readers: the file must exist, and may be read-only. */
export const checkReadable = (
  filename: string
): { readonly path: string; readonly isWritable: boolean } => {
  const { path, readOnly } =
    findFile(filename) ?? fail("Unavailable", `${resolve(filename)} does not exist`)
  checkLinks(path)
  checkHeader(path)
  return { path, isWritable: readOnly === undefined }
}
