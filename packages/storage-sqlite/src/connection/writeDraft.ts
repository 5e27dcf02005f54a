/**
 * Writes to a draft without a write-ahead log. Such a log is copied into its file when the last
 * connection closes, and SQLite reports no failure of that; every commit without one is reported.
 */
import { basename } from "node:path"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import { connectTo } from "./OpenFiles.js"
import { companionsOf } from "./place.js"

/** Has each commit in the file itself, synced. What a log has is copied into the file first. */
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

/** All that was written is in the draft when this returns. */
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
 * The last write to a draft before it gets its name: has it opened with a log from then on, as
 * everybody opens a store. Throws where anything of it is still in another file, which would not
 * get the name.
 */
export const sealDraft = (driver: Driver, draft: string): void => {
  writeDraft(driver, draft, (file) => {
    file.pragma("journal_mode = WAL")
  })
  const left = companionsOf(draft)
  if (left.length === 0) return
  throw new StorageError({
    reason: "Unavailable",
    detail:
      `${draft} is not whole: ${left.map((each) => basename(each)).join(", ")} is still beside ` +
      "it"
  })
}
