/** Copies an open file into a draft: page by page, of one state, whatever is written meanwhile. */
import type { Database } from "better-sqlite3"
import type { CopyProgress } from "./CopyProgress.js"

/** Some milliseconds' worth: the event loop turns in between. */
const PAGES_AT_ONCE = 1_000

/** The copying is within one reading transaction, so that writes don't start it anew. */
export const copyPages = async (
  file: Database,
  draft: string,
  onProgress: (progress: CopyProgress) => void = () => undefined
): Promise<void> => {
  file.exec("BEGIN; SELECT count(*) FROM sqlite_schema")
  try {
    await file.backup(draft, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress({ copiedPages: totalPages - remainingPages, totalPages })
        return PAGES_AT_ONCE
      }
    })
  } finally {
    file.exec("COMMIT")
  }
}
