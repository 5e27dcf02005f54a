/** Opens an existing file to look it through, or copy it: nothing is made, migrated or changed, and it may be read-only. */
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageError } from "@petstore/core"
import Connection, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { checkReadable } from "./checkFile.js"
import { SCHEMA_VERSION } from "./migrations/migrate.js"
import { openingFailure } from "./openFile.js"
import { caught, insist } from "./pause.js"

/** How long other processes are waited for. */
const OPENING_MS = 5_000

/** A connection of its own, closed with the scope. */
export const openToLook = (filename: string): Effect.Effect<Database, StorageError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      insist(OPENING_MS, () => caught(() => open(filename))),
      ({ file, copy }) => Effect.sync(() => discard(file, copy))
    ),
    ({ file }) => file
  )

/** `copy` is the folder of the copy that is looked at in place of the file, if one is. */
type Opened = { readonly file: Database; readonly copy: string | undefined }

const discard = (file: Database | undefined, copy: string | undefined): void => {
  file?.close()
  if (copy !== undefined) rmSync(copy, { recursive: true, force: true })
}

const open = (filename: string): Opened => {
  let copy: string | undefined
  let file: Database | undefined
  try {
    const { path, isWritable } = checkReadable(filename)
    file = isWritable ? connect(path, false) : connectBeside(path)
    if (file === undefined) {
      copy = mkdtempSync(join(tmpdir(), "petstore-look-"))
      file = connect(copyInto(copy, path), false)
    }
    return { file, copy }
  } catch (thrown) {
    discard(file, copy)
    throw openingFailure(filename, thrown)
  }
}

const connect = (path: string, readonly: boolean): Database => {
  const file = new Connection(path, { fileMustExist: true, timeout: 0, readonly })
  try {
    file.pragma("query_only = ON")
    file.pragma("temp_store = MEMORY")
    checkVersion(file, Number(file.pragma("user_version", { simple: true })))
    return file
  } catch (thrown) {
    file.close()
    throw thrown
  }
}

/** `checkReadable` has refused newer ones. */
const checkVersion = ({ name }: Database, version: number): void => {
  if (version === SCHEMA_VERSION) return
  const detail = `${name} has schema ${version}, this looks through ${SCHEMA_VERSION}; opening the store brings it up to date, for good: make a copy with the version that wrote it, if you want one`
  throw new StorageError({ reason: "Unavailable", detail })
}

/**
 * SQLite reads a file with a log by way of two files beside it. Where they are, others have the file open, and looking takes part
 * in that; undefined where they are not, or can't be used.
 */
const connectBeside = (path: string): Database | undefined => {
  if (!existsSync(`${path}-shm`) || !existsSync(`${path}-wal`)) return undefined
  try {
    return connect(path, true)
  } catch (thrown) {
    const { reason } = openingFailure(path, thrown)
    if (reason === "ReadOnly" || reason === "Unavailable") return undefined
    throw thrown
  }
}

/** Copies the file, and what the log has of it, to where SQLite can make the files it needs. */
const copyInto = (folder: string, path: string): string => {
  const copy = join(folder, "store.db")
  for (const suffix of ["-wal", ""]) {
    if (!existsSync(path + suffix)) continue
    copyFileSync(path + suffix, copy + suffix)
    chmodSync(copy + suffix, 0o600)
  }
  return copy
}
