/**
 * Writes to a draft without a write-ahead log. SQLite checkpoints a log when the last connection is
 * closed, and does not report a failure of that. Without a log, it reports each failed commit.
 */
import { basename } from "node:path"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import { connectTo } from "./OpenFiles.js"
import { companionsOf } from "./storeLocation.js"

/** Switches to a rollback journal, with synced commits. A log is checkpointed first. */
export const withoutLog = (file: Connection, schema: "main" | "restored" = "main"): void => {
  const mode = file.pragma(`${schema}.journal_mode = DELETE`)
  if (mode !== "delete") {
    throw new StorageError({
      reason: "Unavailable",
      detail: `a draft can't be written without a log: its journal is ${String(mode)}`
    })
  }
  file.pragma(`${schema}.synchronous = FULL`)
}

/** When this returns, the draft itself has all writes, synced. */
export const writeDraft = (
  driver: Driver,
  draft: string,
  write: (file: Connection) => void
): void => {
  const { file, close } = connectTo(driver, draft)
  try {
    withoutLog(file)
    write(file)
  } finally {
    close()
  }
}

/**
 * The last write to a draft before it gets its name: switches it to a write-ahead log, for all
 * later connections. Throws if it has companions left, which would not be renamed with it.
 */
export const sealDraft = (driver: Driver, draft: string): void => {
  writeDraft(driver, draft, (file) => {
    file.pragma("journal_mode = WAL")
  })
  const companions = companionsOf(draft)
  if (companions.length === 0) return
  throw new StorageError({
    reason: "Unavailable",
    detail:
      `${draft} is incomplete: ${companions.map((each) => basename(each)).join(", ")} is ` +
      "still beside it"
  })
}
