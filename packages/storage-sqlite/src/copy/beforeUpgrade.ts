/** What an upgrade insists on before SQLite may write to the file. */
import { StorageError } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import { caught, insist } from "../base/pause.js"
import { checkUnused } from "../connection/alone.js"
import { olderSchemaAt } from "../connection/checkHeader.js"
import type { Driver } from "../driver/Driver.js"
import { realPathOf } from "../connection/fileName.js"
import { hasLog } from "../connection/log.js"
import { connectTo } from "../connection/OpenFiles.js"
import { checkUpgradeOf } from "./checkDraft.js"

/**
 * Refuses a file of an earlier schema that another process has open, once that was waited for, as
 * `Busy`. Where a log was left beside it, a copy with the log is upgraded and looked through, since
 * nothing else tells whether the log is its own. A log that passes goes into the file; a refusal
 * changes nothing. Answers whether a log was looked through. Anything else about the file is for
 * others to refuse.
 */
export const beforeUpgrade = (
  driver: Driver,
  filename: string,
  busyMs: number,
  onCheck?: (check: string) => void
): Effect.Effect<boolean, StorageError> =>
  Effect.gen(function* () {
    const path = yield* Effect.suspend(() => caught(() => realPathOf(filename)))
    if (path === undefined) return false
    const isOlder = yield* insist(busyMs, () =>
      caught(() => {
        if (olderSchemaAt(path) === undefined) return false
        checkUnused(path)
        return true
      })
    )
    if (!isOlder || !hasLog(path)) return false
    yield* Effect.mapError(checkUpgradeOf(driver, path, { leaveLog: true }, onCheck), (failure) =>
      doubted(path, failure)
    )
    yield* Effect.suspend(() => caught(() => takeLog(driver, path)))
    return true
  })

/** What was looked through goes into the file with the end of the last connection. */
const takeLog = (driver: Driver, path: string): void => {
  const { file, close } = connectTo(driver, path)
  try {
    file.pragma("user_version")
  } finally {
    close()
  }
}

const doubted = (path: string, failure: StorageError): StorageError =>
  failure.reason !== "Corrupt" && failure.reason !== "Unknown"
    ? failure
    : new StorageError({
        reason: "Corrupt",
        detail:
          `${path} is damaged as it is with ${path}-wal (${failure.detail}); nothing was ` +
          "changed. If the file was put in the place of another one, that is the log of the " +
          `other: move ${path}-wal and ${path}-shm out of the way, and upgrade again. If not, ` +
          "go back to a backup with petstore restore",
        cause: failure
      })
