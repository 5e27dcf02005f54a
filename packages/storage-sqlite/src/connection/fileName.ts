/** Resolves the name of a file to its path. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fail, statOf } from "./fail.js"

/** Refuses names that SQLite does not take as the name of a file. */
const checkName = (filename: string): void => {
  if (filename === "" || filename === ":memory:" || /^file:/i.test(filename)) {
    fail(
      "Unavailable",
      `"${filename}" names no file: SQLite would take it for something else; name a file, or ` +
        "keep the store in memory (MemoryStorage, petstore serve --memory)"
    )
  }
  // The driver trims names, and would open another file than the one that was checked.
  if (filename !== filename.trim()) fail("Unavailable", `"${filename}" begins or ends with a blank`)
}

const MAX_LINKS = 40

/** False if `lstat` fails: then the folder is at fault, which `checkNew` reports. */
const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** The path of a file that does not exist yet: the name, or the target of its symbolic links. */
export const newPathOf = (filename: string): string => {
  checkName(filename)
  let path = resolve(filename)
  for (let links = 0; ; links++) {
    if (!isLink(path)) return path
    if (links === MAX_LINKS)
      return fail("Unavailable", `${resolve(filename)} is a link that leads nowhere`)
    const next = resolve(dirname(path), readlinkSync(path))
    if (statOf(dirname(next)) === undefined) {
      return fail(
        "Unavailable",
        `${resolve(filename)} is a link to ${next}, whose folder does not exist`
      )
    }
    path = next
  }
}

/** The path of an existing file, without symbolic links; undefined if there is none. */
export const existingPathOf = (filename: string): string | undefined => {
  checkName(filename)
  const path = resolve(filename)
  return statOf(path) === undefined ? undefined : realpathSync(path)
}
