/** Gives a restored draft its name, and keeps what had it. */
import { chmodSync, chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { companionsOf, keptLinksOf } from "../connection/place.js"
import { codeOf, NO_LINKS, putInPlace, syncFolder } from "../connection/createFile.js"
import type { Driver } from "../driver/Driver.js"
import { sealDraft } from "../connection/writeDraft.js"
import { checkStillUnused, type Replaced } from "./Replaced.js"
import { keptName } from "./stamp.js"

/** What was under the name and beside it, and where it is now. */
export type Moved = ReadonlyArray<{ readonly from: string; readonly to: string }>

/**
 * The name leads to the old file or to the new one at every moment, so that nobody finds none and
 * makes an empty store. Where there are no hard links it leads to none for a moment; then
 * `checkNothingLeft` refuses to make a store, and the next restore undoes this one if it is killed.
 * If one was killed before, the name that it gave to the old file is used.
 */
export const replace = (driver: Driver, draft: string, path: string, replaced: Replaced): Moved => {
  checkStillUnused(path, replaced)
  const links = keptLinksOf(path)
  const kept = links[0] ?? keptName(path, "replaced")
  const moved: Array<Moved[number]> = []
  const moveCompanions = (): void => {
    for (const from of companionsOf(path)) {
      const to = kept + from.slice(path.length)
      renameSync(from, to)
      moved.push({ from, to })
    }
  }
  if (replaced.state === "missing") {
    moveCompanions()
    putInPlace(driver, draft, path)
    return moved
  }
  if (replaced.state === "readable" && !replaced.isCopy) {
    // What its log has goes into the file, so that all of it is in one place.
    replaced.file.pragma("journal_mode = DELETE")
    for (const left of companionsOf(path)) rmSync(left)
  }
  sealDraft(driver, draft)
  asBefore(draft, path)
  if (links.length === 0) keepAlso(path, kept)
  for (const link of links.slice(1)) rmSync(link)
  moved.push({ from: path, to: kept })
  try {
    moveCompanions()
    renameSync(draft, path)
  } catch (thrown) {
    for (const { from, to } of moved.toReversed()) putBack(to, from)
    throw thrown
  }
  syncFolder(dirname(path))
  return moved
}

const putBack = (kept: string, path: string): void => {
  if (existsSync(path)) rmSync(kept)
  else renameSync(kept, path)
}

/** Gives a file a second name; where there are no links, another one. */
const keepAlso = (path: string, kept: string): void => {
  try {
    linkSync(path, kept)
  } catch (thrown) {
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown
    renameSync(path, kept)
  }
}

/** The owner and the mode of the file that was there: whoever restores is often root. */
const asBefore = (draft: string, path: string): void => {
  const { uid, gid, mode } = statSync(path)
  chmodSync(draft, mode & 0o777)
  try {
    chownSync(draft, uid, gid)
  } catch {
    // Only root may give a file away; then it is not who served it either.
  }
}
