/** Undoes the changes of a restore that was killed. */
import { existsSync, renameSync } from "node:fs"
import { hasAbandonedDraft, isBeingCreated } from "../connection/drafts.js"
import { fileIdOf } from "../connection/OpenFiles.js"
import { COMPANIONS, replacedLinksOf, replacedNamesOf } from "../connection/storeLocation.js"

/**
 * Renames the old file and its companions back, if a restore was killed before it put the new file
 * in place (without hard links). If the old file has a second name, that stays for the next
 * restore. Does nothing while another restore runs, or if `backup` is the old file itself.
 */
export const undoInterruptedRestore = (path: string, backup: string): void => {
  if (isBeingCreated(path)) return
  const exists = existsSync(path)
  const keptPath = exists
    ? replacedLinksOf(path)[0]
    : hasAbandonedDraft(path)
      ? replacedNamesOf(path).at(-1)
      : undefined
  if (keptPath === undefined || (!exists && fileIdOf(keptPath) === fileIdOf(backup))) return
  for (const suffix of COMPANIONS)
    if (existsSync(keptPath + suffix) && !existsSync(path + suffix))
      renameSync(keptPath + suffix, path + suffix)
  if (!exists) renameSync(keptPath, path)
}
