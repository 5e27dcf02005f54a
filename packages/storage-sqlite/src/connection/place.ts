/** Whether a file can be kept in a place, by what surrounds it. */
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
import { isBeingMade } from "./drafts.js"
import { unsuitableFileSystem } from "./fileSystem.js"
import { refuse, statOf } from "./refuse.js"

/**
 * Mode bits count for root too, which could write all the same: whoever took them away meant it.
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

/** The same for a new file. */
export const checkNew = (path: string): void => {
  checkPlace(path)
  checkNothingLeft(path)
}

/** Refuses a name with the log of another file, which is never taken over. */
export const checkNothingLeft = (path: string): void => {
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

/**
 * The other names that a file has in its folder. Links are not followed: one that leads to the file
 * is no second name of it, and one may lead nowhere, or in a circle.
 */
const otherNamesOf = (path: string): ReadonlyArray<string> => {
  const folder = dirname(path)
  const id = idOf(path)
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((each) => each !== path && idOf(each) === id)
}

const idOf = (path: string): string | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** None where the folder can't be listed: then a second name is still told by the link count. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * A second name of the file has a log of its own: what is written through one is lost to the other.
 * The name of an unfinished draft, left by a process that was killed while it made the file, is
 * taken away (`putInPlace`). While a restore replaces the file it has two for a moment.
 */
export const checkLinks = (path: string): void => {
  if (statSync(path).nlink <= 1) return
  for (const name of otherNamesOf(path))
    if (name.startsWith(`${path}.new-`)) rmSync(name, { force: true })
  const { nlink } = statSync(path)
  if (nlink <= 1) return
  const known = otherNamesOf(path)
  if (known.every((name) => name.startsWith(`${path}.replaced-`)) && isBeingMade(path))
    refuse("Busy", `${path} is being replaced by a restore; try again once that has ended`)
  refuse(
    "Unavailable",
    `${path} has ${nlink} names (hard links${known.length === 0 ? "" : `: ${known.join(", ")}`}): each would have a log of its own, and writes would be lost; remove the others`
  )
}
