/** Which file a name means. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { refuse, statOf } from "./refuse.js"

/** Names that SQLite takes for something else than a file. */
const checkName = (filename: string): void => {
  if (filename === "" || filename === ":memory:" || /^file:/i.test(filename)) {
    refuse(
      "Unavailable",
      `"${filename}" names no file: SQLite would take it for something else; name a file, or ` +
        "keep the store in memory (MemoryStorage, petstore serve --memory)"
    )
  }
  // SQLite's driver takes blanks off the ends of names, and would open another file than the one
  // that was looked at.
  if (filename !== filename.trim())
    refuse("Unavailable", `"${filename}" begins or ends with a blank`)
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
    if (links === MAX_LINKS)
      return refuse("Unavailable", `${resolve(filename)} is a link that leads nowhere`)
    const next = resolve(dirname(path), readlinkSync(path))
    if (statOf(dirname(next)) === undefined) {
      return refuse(
        "Unavailable",
        `${resolve(filename)} is a link to ${next}, whose folder does not exist`
      )
    }
    path = next
  }
}

/** Where a name leads that leads to something; undefined where it leads to nothing. */
export const realPathOf = (filename: string): string | undefined => {
  checkName(filename)
  const asked = resolve(filename)
  return statOf(asked) === undefined ? undefined : realpathSync(asked)
}
