/**
 * Opens an existing file to check or copy it. Nothing is created, migrated or changed, and the file
 * may be read-only.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { supportedSchemaOf, olderVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { catchStorageError, retryWhileBusy } from "../base/retryWhileBusy.js"
import { checkReadable } from "./checkFile.js"
import { checkNotMoved } from "./exclusiveConnection.js"
import { olderSchemaAt } from "./checkHeader.js"
import { hasLog } from "./LogFiles.js"
import { openingFailure } from "./openingFailure.js"
import { type OpenConnection, connectTo } from "./OpenFiles.js"
import { copyFiles } from "./readFileHeaders.js"

/** How long opening waits for other processes, in milliseconds. */
const OPENING_MS = 5_000

/** An open file, which may be of an earlier schema. */
export type ReadOnlyFile = { readonly file: Connection; readonly schema: number }

export type ReadOnlyOptions = {
  readonly driver: Driver
  /** Whether to accept a file of an earlier schema. */
  readonly anySchema?: boolean
  /**
   * Whether to keep the log unchanged even if this is the last connection. The connection is then
   * read-only, and SQLite does not checkpoint. For a log that a killed process has left.
   */
  readonly keepLog?: boolean
}

/** The connection is closed with the scope. */
export const openReadOnly = (
  filename: string,
  { driver, anySchema = false, keepLog = false }: ReadOnlyOptions
): Effect.Effect<ReadOnlyFile, StorageError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      retryWhileBusy(OPENING_MS, () =>
        catchStorageError(() => open(driver, filename, anySchema, keepLog))
      ),
      ({ connected, copy }) => Effect.sync(() => closeAndDelete(connected, copy))
    ),
    ({ connected, schema }) => ({ file: connected.file, schema })
  )

/** `copy` is the folder of a temporary copy that is read in place of the file, if there is one. */
type OpenedFile = {
  readonly connected: OpenConnection
  readonly schema: number
  readonly copy: string | undefined
}

const closeAndDelete = (connected: OpenConnection | undefined, copy: string | undefined): void => {
  connected?.close()
  if (copy !== undefined) rmSync(copy, { recursive: true, force: true })
}

const open = (
  driver: Driver,
  filename: string,
  anySchema: boolean,
  keepLog: boolean
): OpenedFile => {
  let copy: string | undefined
  let connected: OpenConnection | undefined
  try {
    const { path, isWritable } = checkReadable(filename)
    // A log beside a file of an earlier schema may belong to another file. It must not be
    // checkpointed before `upgrade` has checked it.
    const keepsLog = keepLog || (hasLog(path) && olderSchemaAt(path) !== undefined)
    if (isWritable && !keepsLog) checkNotMoved(driver, path)
    connected = isWritable ? connect(driver, path, keepsLog) : connectToShared(driver, path)
    if (connected === undefined) {
      copy = mkdtempSync(join(tmpdir(), "petstore-look-"))
      connected = connect(driver, copyInto(copy, path), false)
    }
    const schema = supportedSchemaOf(connected.file, path)
    if (schema < SCHEMA_VERSION && !anySchema) throw olderVersion(path, schema)
    return { connected, schema, copy }
  } catch (thrown) {
    closeAndDelete(connected, copy)
    throw openingFailure(filename, thrown)
  }
}

const connect = (driver: Driver, path: string, readOnly: boolean): OpenConnection => {
  const connected = connectTo(driver, path, { readOnly })
  try {
    connected.file.pragma("query_only = ON")
    connected.file.pragma("temp_store = MEMORY")
    // SQLite opens the `-wal` and the `-shm` with the first read.
    connected.file.pragma("user_version")
    return connected
  } catch (thrown) {
    connected.close()
    throw thrown
  }
}

/**
 * Opens a read-only file through the `-wal` and `-shm` of the processes that have it open.
 * Undefined if those files don't exist or can't be used.
 */
const connectToShared = (driver: Driver, path: string): OpenConnection | undefined => {
  if (!existsSync(`${path}-shm`) || !existsSync(`${path}-wal`)) return undefined
  try {
    return connect(driver, path, true)
  } catch (thrown) {
    const { reason } = openingFailure(path, thrown)
    if (reason === "ReadOnly" || reason === "Unavailable") return undefined
    throw thrown
  }
}

/** Copies the file and its log to a folder where SQLite can create the `-shm` that it needs. */
const copyInto = (folder: string, path: string): string => {
  const copy = join(folder, "store.db")
  const copies = copyFiles(path, copy)
  if (copies === undefined) {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${path} is read-only and open in this process`
    })
  }
  for (const each of copies) chmodSync(each, 0o600)
  return copy
}
