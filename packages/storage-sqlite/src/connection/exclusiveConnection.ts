/** Connections that lock a file, so that no other connection can use it. */
import { existsSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { migrate } from "../migrations/migrate.js"
import { catchStorageError, blockBriefly } from "../base/retryWhileBusy.js"
import { isBeingCreated } from "./drafts.js"
import { openingFailure } from "./openingFailure.js"
import { type OpenConnection, connectionsTo, connectTo, fileIdOf } from "./OpenFiles.js"
import { isOpenElsewhere } from "./processes.js"

/**
 * Opens a connection that locks the file until it is closed. Throws `Busy` if another connection
 * has the file open, in this process or another, of any version.
 */
export const connectExclusively = (driver: Driver, path: string): OpenConnection => {
  const id = fileIdOf(path)
  if (id !== undefined && connectionsTo(id) > 0) throw inUseFailure(path)
  const connected = connectTo(driver, path)
  try {
    // Before the first read, so that SQLite uses no shared memory and locks the whole file.
    connected.file.pragma("locking_mode = EXCLUSIVE")
    connected.file.command("BEGIN EXCLUSIVE").run()
    connected.file.command("COMMIT").run()
    return connected
  } catch (thrown) {
    connected.close()
    const failure = openingFailure(path, thrown)
    throw failure.reason === "Busy" ? inUseFailure(path) : failure
  }
}

export const inUseFailure = (path: string): StorageError =>
  new StorageError({
    reason: "Busy",
    detail:
      `${path} is open in another process, or once more in this one; stop its servers first ` +
      `(petstore status --db ${path} lists them)`
  })

/** So many checks in a row, since a process that only reads the header has it open for a moment. */
const MAX_CHECKS = 5

/**
 * Throws `Busy` if another process has the file open, as far as the system tells. Locks are not
 * enough: a process loses them when any code in it closes another descriptor on the file.
 */
export const checkNotOpenElsewhere = (path: string): void => {
  const id = fileIdOf(path)
  if (id === undefined) return
  for (let checks = 1; isOpenElsewhere(id); checks++) {
    if (checks === MAX_CHECKS) throw inUseFailure(path)
    blockBriefly()
  }
}

/**
 * Throws `Busy` if the file was moved while another process had it open: that process writes to the
 * log beside the old name. Such a file is locked, and has no `-shm` beside its new name.
 */
export const checkNotMoved = (driver: Driver, path: string): void => {
  const hasSharedMemory = (): boolean => existsSync(`${path}-shm`)
  if (hasSharedMemory()) return
  try {
    connectExclusively(driver, path).close()
  } catch (thrown) {
    if (!(thrown instanceof StorageError) || thrown.reason !== "Busy") throw thrown
    // Another process may be opening it under this name.
    if (hasSharedMemory()) return
    if (isBeingCreated(path)) throw inUseFailure(path)
    throw new StorageError({
      reason: "Busy",
      detail:
        `${path} is open in another process under another name: it was moved meanwhile, and its ` +
        "log was not (or its -shm was deleted). Move it back, or stop that process and move its " +
        "-wal along"
    })
  }
}

/** `connectExclusively` as an effect; the connection is closed with the scope. */
export const exclusiveConnection = (
  driver: Driver,
  path: string
): Effect.Effect<OpenConnection, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => catchStorageError(() => connectExclusively(driver, path))),
    ({ close }) => Effect.sync(close)
  )

/**
 * Upgrades the schema on an exclusive connection, after a check that no process has the file open
 * without a lock. It uses no log, so that the new schema and the new session are in the file
 * itself, in one commit.
 */
export const migrateExclusively = (file: Connection, path: string): void => {
  checkNotOpenElsewhere(path)
  file.pragma("journal_mode = DELETE")
  file.pragma("synchronous = FULL")
  migrate(file, path)
  // In exclusive mode, SQLite would keep an empty journal.
  file.pragma("locking_mode = NORMAL")
  file.pragma("user_version")
}
