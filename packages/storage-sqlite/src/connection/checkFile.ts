/**
 * Looks at a file before SQLite does, so that what is not ours is refused with its path and without
 * a byte changed.
 */
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { checkHeader } from "./checkHeader.js"
import { destinationOf, realPathOf } from "./fileName.js"
import { unsuitableFileSystem } from "./fileSystem.js"
import { checkLinks, checkNew, checkNothingLeft, isFolderWritable, isWritable } from "./place.js"
import { refuse } from "./refuse.js"

export type Checked = { readonly path: string; readonly state: "existing" | "new" }

/** A file that is there and can be ours, and why it can't be written, if it can't. */
export type Found = { readonly path: string; readonly readOnly: string | undefined }

/** What is there under this name; undefined where nothing is. */
export const findFile = (filename: string): Found | undefined => {
  const path = realPathOf(filename)
  if (path === undefined) return undefined
  const found = statSync(path)
  if (!found.isFile())
    refuse(
      "Unavailable",
      `${path} is ${found.isDirectory() ? "a folder" : "no file"}; name the file of a store`
    )
  if (found.size === 0) refuse("Corrupt", `${path} is empty; delete it to start with a new store`)
  const readOnly = !isWritable(path, found)
    ? `${path} is read-only`
    : !isFolderWritable(path)
      ? `${path} can't be written: its folder is read-only`
      : undefined
  return { path, readOnly }
}

/**
 * Whether the file is there and ours, or can be made; anything else is thrown as a `StorageError`
 * that names the path.
 */
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

/**
 * For a name that leads to no file. Throws a `StorageError` if no store could be made there, since
 * SQLite takes the name for something else, or a log is left of another file.
 */
export const checkMissing = (filename: string): void => checkNothingLeft(destinationOf(filename))

/** The same for who only looks: the file must be there, and may be read-only. */
export const checkReadable = (
  filename: string
): { readonly path: string; readonly isWritable: boolean } => {
  const { path, readOnly } =
    findFile(filename) ?? refuse("Unavailable", `${resolve(filename)} does not exist`)
  checkLinks(path)
  checkHeader(path)
  return { path, isWritable: readOnly === undefined }
}
