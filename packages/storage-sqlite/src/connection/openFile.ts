/** Opens the connection to a file: makes the file if it is not there, refuses what it should not touch, sets it up. */
import { StorageError } from "@petstore/core"
import type { Database } from "better-sqlite3"
import type { Durability } from "../Durability.js"
import { knownSchemaOf, migrate, olderVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { failureOf } from "../sqliteFailure.js"
import { checkFile } from "./checkFile.js"
import { codeOf, createFile } from "./createFile.js"
import { type Connected, connectionsTo, connectTo, fileIdOf } from "./OpenFiles.js"

export type FileOptions = {
  readonly filename: string
  readonly durability: Durability
  /** The most pages the file may have; 0 for as many as there is room for. */
  readonly maxPages: number
  /** Whether a file of an earlier schema is brought up to date; it is refused otherwise. */
  readonly upgrade: boolean
}

/** The log is cut back to this when it starts anew. */
const LOG_BYTES = 32 * 2 ** 20

/**
 * A log of so many pages, 16 megabytes, is written back into the file, which stops every write for some milliseconds: four times as many as of SQLite's
 * own default, since most of them are the same few hundred pages again. That is 8 % off orders in groups, and half of the 99.5th percentile
 * of single ones. Reading takes no longer.
 */
const CHECKPOINT_PAGES = 8_000

/**
 * For pages that were read or changed. None are mapped from the file instead (`mmap_size`): of a mapped page SQLite looks up in the log each time whether it is there
 * in a newer state, of one that it has copied never again. With half of the log used that doubled what a list takes.
 */
const CACHE_KIB = 16 * 1024

/**
 * A transaction may have so many changed pages (256 MiB) beyond that cache, until it ends: those of a large one would else be written to
 * the log again and again, wherever the next row happens to belong.
 */
const UNSPILLED_PAGES = 131_072

/** SQLite's own wait would block the event loop, so it is off: waiting is for whoever runs programs. */
const setUp = (file: Database, path: string, { durability, maxPages }: FileOptions): void => {
  const schema = knownSchemaOf(file, path)
  if (schema < SCHEMA_VERSION) throw olderVersion(path, schema)
  if (file.pragma("journal_mode = WAL", { simple: true }) !== "wal") {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${path} can't have a write-ahead log where it is`
    })
  }
  file.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
  file.pragma(`journal_size_limit = ${LOG_BYTES}`)
  file.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  file.pragma(`cache_size = -${CACHE_KIB}`)
  file.pragma(`cache_spill = ${UNSPILLED_PAGES}`)
  file.pragma("temp_store = MEMORY")
  file.pragma("foreign_keys = OFF")
  if (maxPages > 0) file.pragma(`max_page_count = ${maxPages}`)
  // SQLite makes the log, and what is shared of it, with the first read.
  file.pragma("user_version")
}

/** Opens the file once, without waiting for anyone. Throws a `StorageError` that names it. */
export const openFile = (options: FileOptions): Connected & { readonly path: string } => {
  const { filename, upgrade } = options
  try {
    const { path, state } = checkFile(filename)
    if (state === "new") createFile(path)
    else if (upgrade) upgradeFile(path)
    const connected = connectTo(path)
    try {
      setUp(connected.file, path, options)
      return { ...connected, path }
    } catch (thrown) {
      connected.close()
      throw thrown
    }
  } catch (thrown) {
    throw openingFailure(filename, thrown)
  }
}

/** Why a file can't be opened, whatever was thrown meanwhile. */
export const openingFailure = (filename: string, thrown: unknown): StorageError => {
  if (thrown instanceof StorageError) return thrown
  const isFull = codeOf(thrown) === "ENOSPC"
  return (
    failureOf(thrown, `open ${filename}`) ??
    new StorageError({
      reason: isFull ? "Full" : "Unavailable",
      detail: `${filename} can't be opened`,
      cause: thrown
    })
  )
}

/**
 * A connection that has the file to itself until it is closed, or `Busy`, where any other connection
 * has it open, in this process or another, of whatever version.
 */
export const connectAlone = (path: string): Connected => {
  const id = fileIdOf(path)
  if (id !== undefined && connectionsTo(id) > 0) throw inUse(path)
  const connected = connectTo(path)
  try {
    // Before the first read: then SQLite shares no memory with others, and locks the whole file.
    connected.file.pragma("locking_mode = EXCLUSIVE")
    connected.file.exec("BEGIN EXCLUSIVE; COMMIT")
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
    detail: `${path} is open in another process, or once more in this one; stop its servers first (petstore status --db ${path} lists them)`
  })

/** Brings the schema up to date if it is an earlier one; nobody else may have the file open then. */
export const upgradeFile = (path: string): void => {
  if (!isOlder(path)) return
  const { file, close } = connectAlone(path)
  try {
    migrateAlone(file, path)
  } finally {
    close()
  }
}

/**
 * Brings the schema up to date on a connection that has the file to itself. Without a log, so that
 * the new schema and the file's new session are in one place, and at once.
 */
export const migrateAlone = (file: Database, path: string): void => {
  file.pragma("journal_mode = DELETE")
  file.pragma("synchronous = FULL")
  migrate(file, path)
  // SQLite keeps an empty journal as long as it has a file to itself.
  file.pragma("locking_mode = NORMAL")
  file.pragma("user_version")
}

const isOlder = (path: string): boolean => {
  const { file, close } = connectTo(path)
  try {
    return knownSchemaOf(file, path) < SCHEMA_VERSION
  } finally {
    close()
  }
}
