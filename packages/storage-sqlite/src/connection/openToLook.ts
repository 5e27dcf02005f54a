/**
 * Opens an existing file to look it through, or copy it: nothing is made, migrated or changed, and
 * it may be read-only.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { knownSchemaOf, olderVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { caught, insist } from "../base/pause.js"
import { checkReadable } from "./checkFile.js"
import { checkOnlyName } from "./alone.js"
import { olderSchemaAt } from "./checkHeader.js"
import { hasLog } from "./log.js"
import { openingFailure } from "./openingFailure.js"
import { type Connected, connectTo } from "./OpenFiles.js"
import { copyFiles } from "./peek.js"

/** How long other processes are waited for. */
const OPENING_MS = 5_000

/** An open file, which may be of an earlier schema. */
export type Looked = { readonly file: Connection; readonly schema: number }

export type LookOptions = {
  readonly driver: Driver
  /** Whether an earlier schema is no reason to refuse the file. */
  readonly anySchema?: boolean
  /**
   * Whether the log is left as it is, also where this is the last connection: then it can't write,
   * and SQLite leaves the log to the next one. For who alone has a file whose log was left behind.
   */
  readonly leaveLog?: boolean
}

/** A connection of its own, closed with the scope. */
export const openToLook = (
  filename: string,
  { driver, anySchema = false, leaveLog = false }: LookOptions
): Effect.Effect<Looked, StorageError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      insist(OPENING_MS, () => caught(() => open(driver, filename, anySchema, leaveLog))),
      ({ connected, copy }) => Effect.sync(() => discard(connected, copy))
    ),
    ({ connected, schema }) => ({ file: connected.file, schema })
  )

/** `copy` is the folder of the copy that is looked at in place of the file, if one is. */
type Opened = {
  readonly connected: Connected
  readonly schema: number
  readonly copy: string | undefined
}

const discard = (connected: Connected | undefined, copy: string | undefined): void => {
  connected?.close()
  if (copy !== undefined) rmSync(copy, { recursive: true, force: true })
}

const open = (driver: Driver, filename: string, anySchema: boolean, leaveLog: boolean): Opened => {
  let copy: string | undefined
  let connected: Connected | undefined
  try {
    const { path, isWritable } = checkReadable(filename)
    // A log beside an earlier schema may be that of another file: it goes into the file only after
    // `upgrade` has looked it through.
    const leavesLog = leaveLog || (hasLog(path) && olderSchemaAt(path) !== undefined)
    if (isWritable && !leavesLog) checkOnlyName(driver, path)
    connected = isWritable ? connect(driver, path, leavesLog) : connectBeside(driver, path)
    if (connected === undefined) {
      copy = mkdtempSync(join(tmpdir(), "petstore-look-"))
      connected = connect(driver, copyInto(copy, path), false)
    }
    const schema = knownSchemaOf(connected.file, path)
    if (schema < SCHEMA_VERSION && !anySchema) throw olderVersion(path, schema)
    return { connected, schema, copy }
  } catch (thrown) {
    discard(connected, copy)
    throw openingFailure(filename, thrown)
  }
}

const connect = (driver: Driver, path: string, readOnly: boolean): Connected => {
  const connected = connectTo(driver, path, { readOnly })
  try {
    connected.file.pragma("query_only = ON")
    connected.file.pragma("temp_store = MEMORY")
    // SQLite opens the log, and whatever it has to share, with the first read.
    connected.file.pragma("user_version")
    return connected
  } catch (thrown) {
    connected.close()
    throw thrown
  }
}

/**
 * SQLite reads a file with a log by way of two files beside it. Where they are, others have the
 * file open, and looking takes part in that; undefined where they are not, or can't be used.
 */
const connectBeside = (driver: Driver, path: string): Connected | undefined => {
  if (!existsSync(`${path}-shm`) || !existsSync(`${path}-wal`)) return undefined
  try {
    return connect(driver, path, true)
  } catch (thrown) {
    const { reason } = openingFailure(path, thrown)
    if (reason === "ReadOnly" || reason === "Unavailable") return undefined
    throw thrown
  }
}

/** Copies the file, and what the log has of it, to where SQLite can make the files it needs. */
const copyInto = (folder: string, path: string): string => {
  const copy = join(folder, "store.db")
  const copied = copyFiles(path, copy)
  if (copied === undefined) {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${path} is read-only and open in this process`
    })
  }
  for (const each of copied) chmodSync(each, 0o600)
  return copy
}
