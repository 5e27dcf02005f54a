/** Checks the folder of a store, and the other files and names in it. */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { isBeingCreated } from "./drafts.js"
import { unsuitableFileSystem } from "./fileSystem.js"
import { fail, statOf } from "./fail.js"

/**
 * Respects the mode bits for root too. Root could write anyway, but whoever made the file read-only
 * did so on purpose.
 */
export const isWritable = (path: string, { mode }: Stats): boolean => {
  if ((mode & 0o222) === 0) return false
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Whether the file's folder can be written. */
export const isFolderWritable = (path: string): boolean => {
  const folder = dirname(path)
  const folderStats = statOf(folder) ?? fail("Unavailable", `the folder of ${path} does not exist`)
  if (!folderStats.isDirectory()) fail("Unavailable", `the folder of ${path} is no folder`)
  return isWritable(folder, folderStats)
}

/** Suffixes of the files that SQLite keeps beside a database, and reads as part of it. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const

/** The companions of a file that exist. */
export const companionsOf = (path: string): ReadonlyArray<string> =>
  COMPANIONS.map((suffix) => path + suffix).filter((each) => existsSync(each))

/** Throws a `StorageError` if the folder can't hold a store. */
export const checkLocation = (path: string): void => {
  if (!isFolderWritable(path)) fail("ReadOnly", `${path} can't be made: its folder is read-only`)
  const unsuitable = unsuitableFileSystem(path)
  if (unsuitable !== undefined) fail("Unavailable", unsuitable)
}

/** The same for a new file. */
export const checkNew = (path: string): void => {
  checkLocation(path)
  checkNoLeftovers(path)
}

/**
 * Refuses the name of a missing file if the folder has leftovers of it. If an interrupted restore
 * renamed the old file, a new store would hide it. And SQLite would replay the log of an older file
 * into the new one.
 */
export const checkNoLeftovers = (path: string): void => {
  const keptName = replacedNamesOf(path).at(-1)
  if (keptName !== undefined && !existsSync(path)) refuseMissing(path, keptName)
  const [companion] = companionsOf(path)
  // A file gets its name before its companions exist. So if it still does not exist, no process has
  // just created it, and the companion is a leftover.
  if (companion === undefined || existsSync(path)) return
  fail(
    "Unavailable",
    `${path} does not exist, and ${companion} is left of a file that had this name: put that ` +
      `file back, or move ${companionsOf(path)
        .map((each) => basename(each))
        .join(", ")} out of the way`
  )
}

const refuseMissing = (path: string, keptName: string): never =>
  isBeingCreated(path)
    ? fail("Busy", replacementMessage(path))
    : fail(
        "Unavailable",
        `${path} does not exist, and ${keptName} is what a restore kept of it: if that restore ` +
          "was killed, run it again; otherwise put the file back (mv -n " +
          `${basename(keptName)} ${basename(path)}), or, for a new store, move it out of the way`
      )

const replacementMessage = (path: string): string =>
  `${path} is being replaced by a restore; try again once that has ended`

const REPLACED = /^\.replaced-\d{8}T\d{6}Z(?:-\d+)?$/

const isReplacedName = (path: string, name: string): boolean =>
  name.startsWith(path) && REPLACED.test(name.slice(path.length))

/** The names that restores gave to the files they replaced, the newest last. */
export const replacedNamesOf = (path: string): ReadonlyArray<string> =>
  fileNamesIn(dirname(path))
    .map((name) => join(dirname(path), name))
    .filter((name) => isReplacedName(path, name))
    .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))

/** Of those, the hard links to the current file, which interrupted restores have made. */
export const replacedLinksOf = (path: string): ReadonlyArray<string> => {
  const id = idOf(path)
  return id === undefined ? [] : replacedNamesOf(path).filter((name) => idOf(name) === id)
}

/**
 * The other hard links to a file in its folder. Symbolic links are not followed: they are no second
 * name, and may be broken or circular.
 */
const otherNamesOf = (path: string): ReadonlyArray<string> => {
  const folder = dirname(path)
  const id = idOf(path)
  return fileNamesIn(folder)
    .map((name) => join(folder, name))
    .filter((each) => each !== path && idOf(each) === id)
}

const idOf = (path: string): string | undefined => {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/** Empty if the folder can't be listed: the link count still shows that there is a second name. */
const fileNamesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Refuses a file with several hard links: SQLite would use one log for each name, and writes
 * through one name would be lost to the other. If the second name is a draft, of a process that was
 * killed while it created the file, it is removed (see `publishDraft`). While a restore replaces
 * the file, the file has two names for a moment.
 */
export const checkLinks = (path: string): void => {
  if (statSync(path).nlink <= 1) return
  for (const name of otherNamesOf(path))
    if (name.startsWith(`${path}.new-`)) rmSync(name, { force: true })
  const { nlink } = statSync(path)
  if (nlink <= 1) return
  const otherNames = otherNamesOf(path)
  const allReplaced = otherNames.every((name) => isReplacedName(path, name))
  if (allReplaced && isBeingCreated(path)) fail("Busy", replacementMessage(path))
  const listed = otherNames.length === 0 ? "" : `: ${otherNames.join(", ")}`
  const names = `${path} has ${nlink} names (hard links${listed})`
  const advice =
    allReplaced && otherNames.length > 0
      ? "a restore was killed while it replaced the file; run it again, or remove the other name " +
        "to go on with the old store"
      : "each would have a log of its own, and writes would be lost; remove the others"
  fail("Unavailable", `${names}: ${advice}`)
}
