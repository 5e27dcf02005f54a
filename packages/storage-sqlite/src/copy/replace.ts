/** Gives a restored draft its name, and keeps the replaced files under other names. */
import { chmodSync, chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { companionsOf, replacedLinksOf } from "../connection/storeLocation.js"
import { codeOf, NO_HARD_LINK_CODES, publishDraft, syncFolder } from "../connection/createFile.js"
import type { Driver } from "../driver/Driver.js"
import { sealDraft } from "../connection/writeDraft.js"
import { checkStillNotOpen, type ReplacedFile } from "./ReplacedFile.js"
import { datedName } from "./datedName.js"

/** The replaced files with their old and new names. */
export type MovedFiles = ReadonlyArray<{ readonly from: string; readonly to: string }>

/**
 * At every moment the name refers to the old file or to the new one, so that no process finds none
 * and creates an empty store. Without hard links, there is a moment without a file. Then
 * `checkNoLeftovers` refuses to create a store, and if the restore is killed, the next one undoes
 * it. If an earlier restore was killed after it linked the old file to another name, that name is
 * used.
 */
export const replace = (
  driver: Driver,
  draft: string,
  path: string,
  replaced: ReplacedFile
): MovedFiles => {
  checkStillNotOpen(path, replaced)
  const existingLinks = replacedLinksOf(path)
  const keptPath = existingLinks[0] ?? datedName(path, "replaced")
  const moved: Array<MovedFiles[number]> = []
  const moveCompanions = (): void => {
    for (const from of companionsOf(path)) {
      const to = keptPath + from.slice(path.length)
      renameSync(from, to)
      moved.push({ from, to })
    }
  }
  if (replaced.state === "missing") {
    moveCompanions()
    publishDraft(driver, draft, path)
    return moved
  }
  if (replaced.state === "readable" && !replaced.isCopy) {
    // Checkpoints its log, so that the whole store is in one file.
    replaced.file.pragma("journal_mode = DELETE")
    for (const companion of companionsOf(path)) rmSync(companion)
  }
  sealDraft(driver, draft)
  copyOwnership(draft, path)
  if (existingLinks.length === 0) linkOrRename(path, keptPath)
  for (const link of existingLinks.slice(1)) rmSync(link)
  moved.push({ from: path, to: keptPath })
  try {
    moveCompanions()
    renameSync(draft, path)
  } catch (thrown) {
    for (const { from, to } of moved.toReversed()) undoMove(to, from)
    throw thrown
  }
  syncFolder(dirname(path))
  return moved
}

const undoMove = (kept: string, path: string): void => {
  if (existsSync(path)) rmSync(kept)
  else renameSync(kept, path)
}

/** Gives a file a second name. Renames it if the file system has no hard links. */
const linkOrRename = (path: string, kept: string): void => {
  try {
    linkSync(path, kept)
  } catch (thrown) {
    if (!NO_HARD_LINK_CODES.has(codeOf(thrown))) throw thrown
    renameSync(path, kept)
  }
}

/** Copies the owner and the mode of the replaced file, since root often runs the restore. */
const copyOwnership = (draft: string, path: string): void => {
  const { uid, gid, mode } = statSync(path)
  chmodSync(draft, mode & 0o777)
  try {
    chownSync(draft, uid, gid)
  } catch {
    // Only root may change the owner. Any other user is likely the one that runs the server.
  }
}
