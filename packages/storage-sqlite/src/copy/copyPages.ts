/** Copies an open file into a draft: page by page, of one state, whatever is written meanwhile. */
import type { Connection } from "../driver/Driver.js"
import type { CopyProgress } from "./CopyProgress.js"

/** The copying is within one reading transaction, so that writes don't start it anew. */
export const copyPages = async (
  file: Connection,
  draft: string,
  onProgress: (progress: CopyProgress) => void = () => undefined
): Promise<void> => {
  file.command("BEGIN").run()
  file.values("SELECT count(*) FROM sqlite_schema").get()
  try {
    await file.copyTo(draft, onProgress)
  } finally {
    file.command("COMMIT").run()
  }
}
