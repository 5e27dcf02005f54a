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

/**
 * Refuses the name of a missing file that a restore has kept, since whoever makes a new store would
 * lose sight of the old one; and a name with the log of another file, which is never taken over.
 */
export const checkNothingLeft = (path: string): void => {
  const kept = keptNamesOf(path).at(-1)
  if (kept !== undefined && !existsSync(path)) refuseKept(path, kept)
  const [left] = companionsOf(path)
  // A file has its name before it has companions, so they are nobody's if it is still not there.
  if (left === undefined || existsSync(path)) return
  const names = companionsOf(path).map((each) => basename(each))
  refuse(
    "Unavailable",
    `${path} does not exist, and ${left} is left of a file that had this name: put that file ` +
      `back, or move ${names.join(", ")} out of the way`
  )
}

const refuseKept = (path: string, kept: string): never =>
  isBeingMade(path)
    ? refuse("Busy", beingReplaced(path))
    : refuse(
        "Unavailable",
        `${path} does not exist, and ${kept} is what a restore kept of it: if that restore ` +
          `was killed, run it again; otherwise put the file back (mv -n ${basename(kept)} ` +
          `${basename(path)}), or, for a new store, move it out of the way`
      )

const beingReplaced = (path: string): string =>
  `${path} is being replaced by a restore; try again once that has ended`

const KEPT = /^\.replaced-\d{8}T\d{6}Z(?:-\d+)?$/

const isKept = (path: string, name: string): boolean =>
  name.startsWith(path) && KEPT.test(name.slice(path.length))

/** The names under which restores have kept what was there, the newest last. */
export const keptNamesOf = (path: string): ReadonlyArray<string> =>
  namesIn(dirname(path))
    .map((name) => join(dirname(path), name))
    .filter((name) => isKept(path, name))
    .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))

/** Those of the file that is there: restores that were killed gave it them. */
export const keptLinksOf = (path: string): ReadonlyArray<string> => {
  const id = idOf(path)
  return id === undefined ? [] : keptNamesOf(path).filter((name) => idOf(name) === id)
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
  const allKept = known.every((name) => isKept(path, name))
  if (allKept && isBeingMade(path)) refuse("Busy", beingReplaced(path))
  const names =
    `${path} has ${nlink} names (hard ` +
    `links${known.length === 0 ? "" : `: ${known.join(", ")}`})`
  const advice =
    allKept && known.length > 0
      ? "a restore was killed while it replaced the file; run it again, or remove the other " +
        "name to go on with the old store"
      : "each would have a log of its own, and writes would be lost; remove the others"
  refuse("Unavailable", `${names}: ${advice}`)
}
