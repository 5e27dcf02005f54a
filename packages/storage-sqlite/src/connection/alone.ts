/** Connections that have a file to themselves. */
import { existsSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { migrate } from "../migrations/migrate.js"
import { caught, pauseBriefly } from "../base/pause.js"
import { isBeingMade } from "./drafts.js"
import { openingFailure } from "./openingFailure.js"
import { type Connected, connectionsTo, connectTo, fileIdOf } from "./OpenFiles.js"
import { isOpenElsewhere } from "./processes.js"

/**
 * A connection that has the file to itself until it is closed, or `Busy`, where any other
 * connection has it open, in this process or another, of whatever version.
 */
export const connectAlone = (driver: Driver, path: string): Connected => {
  const id = fileIdOf(path)
  if (id !== undefined && connectionsTo(id) > 0) throw inUse(path)
  const connected = connectTo(driver, path)
  try {
    // Before the first read: then SQLite shares no memory with others, and locks the whole file.
    connected.file.pragma("locking_mode = EXCLUSIVE")
    connected.file.command("BEGIN EXCLUSIVE").run()
    connected.file.command("COMMIT").run()
    return connected
  } catch (thrown) {
    connected.close()
    const failure = openingFailure(path, thrown)
    throw failure.reason === "Busy" ? inUse(path) : failure
  }
}

export const inUse = (path: string): StorageError =>
  new StorageError({
    reason: "Busy",
    detail:
      `${path} is open in another process, or once more in this one; stop its servers first ` +
      `(petstore status --db ${path} lists them)`
  })

/** So many looks in a row: who only looks at a file has it open for a moment. */
const LOOKS = 5

/**
 * Refuses a file that another process has open, as `Busy`, as far as the system tells. Locks don't
 * tell it: a process loses them when anything in it closes a descriptor of its own on the file.
 */
export const checkUnused = (path: string): void => {
  const id = fileIdOf(path)
  if (id === undefined) return
  for (let looks = 1; isOpenElsewhere(id); looks++) {
    if (looks === LOOKS) throw inUse(path)
    pauseBriefly()
  }
}

/**
 * Refuses a file that was moved while another process had it open, as `Busy`: that process writes
 * to the log beside the old name. Such a file is locked, and has nothing beside its new name.
 */
export const checkOnlyName = (driver: Driver, path: string): void => {
  const isShared = (): boolean => existsSync(`${path}-shm`)
  if (isShared()) return
  try {
    connectAlone(driver, path).close()
  } catch (thrown) {
    if (!(thrown instanceof StorageError) || thrown.reason !== "Busy") throw thrown
    // Others may be about to open it under this name.
    if (isShared()) return
    if (isBeingMade(path)) throw inUse(path)
    throw new StorageError({
      reason: "Busy",
      detail:
        `${path} is open in another process under another name: it was moved meanwhile, and ` +
        "its log was not (or its -shm was deleted). Move it back, or stop that process and " +
        "move its -wal along"
    })
  }
}

/** The same, closed with the scope. */
export const alone = (
  driver: Driver,
  path: string
): Effect.Effect<Connected, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => caught(() => connectAlone(driver, path))),
    ({ close }) => Effect.sync(close)
  )

/**
 * Brings the schema up to date on a connection that has the file to itself, unless another process
 * has it open without a lock. Without a log, so that the new schema and the file's new session are
 * in one place, and at once.
 */
export const migrateAlone = (file: Connection, path: string): void => {
  checkUnused(path)
  file.pragma("journal_mode = DELETE")
  file.pragma("synchronous = FULL")
  migrate(file, path)
  // SQLite keeps an empty journal as long as it has a file to itself.
  file.pragma("locking_mode = NORMAL")
  file.pragma("user_version")
}
