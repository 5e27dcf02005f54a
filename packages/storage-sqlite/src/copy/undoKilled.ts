/** Undoes what a restore that was killed has done to a file. */
import { existsSync, renameSync } from "node:fs"
import { wasBeingMade, isBeingMade } from "../connection/drafts.js"
import { fileIdOf } from "../connection/OpenFiles.js"
import { COMPANIONS, keptLinksOf, keptNamesOf } from "../connection/place.js"

/**
 * Gives the old file its name again where a restore was killed that had none to give in its stead
 * (without hard links), and what was beside it. A second name that it got stays, for the next
 * restore to use. Nothing is done while another restore runs, nor where `backup` is what was kept.
 */
export const undoKilledRestore = (path: string, backup: string): void => {
  if (isBeingMade(path)) return
  const isThere = existsSync(path)
  const kept = isThere
    ? keptLinksOf(path)[0]
    : wasBeingMade(path)
      ? keptNamesOf(path).at(-1)
      : undefined
  if (kept === undefined || (!isThere && fileIdOf(kept) === fileIdOf(backup))) return
  for (const suffix of COMPANIONS)
    if (existsSync(kept + suffix) && !existsSync(path + suffix))
      renameSync(kept + suffix, path + suffix)
  if (!isThere) renameSync(kept, path)
}
