/** Copies an open file into a draft, page by page, as of one moment. */
import type { Connection } from "../driver/Driver.js"
import type { CopyProgress } from "./CopyProgress.js"

/** Copies within one read transaction: otherwise SQLite would start again after each write. */
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
