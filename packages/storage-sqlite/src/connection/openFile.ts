/**
 * Opens the connection to a store: creates a missing file, refuses a file that is no store, and
 * configures the connection.
 */
import { type Collection, type Row, StorageError } from "@petstore/core/storage"
import type { Connection, Driver } from "../driver/Driver.js"
import type { Durability } from "../base/Durability.js"
import { supportedSchemaOf, olderVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { checkFile } from "./checkFile.js"
import { createFile } from "./createFile.js"
import {
  checkNotMoved,
  checkNotOpenElsewhere,
  connectExclusively,
  migrateExclusively
} from "./exclusiveConnection.js"
import { olderSchemaAt } from "./checkHeader.js"
import { hasLog } from "./LogFiles.js"
import { openingFailure } from "./openingFailure.js"
import { type OpenConnection, connectTo } from "./OpenFiles.js"

export type FileOptions = {
  readonly driver: Driver
  readonly filename: string
  /** The collections that a new file gets tables for. */
  readonly collections: ReadonlyArray<Collection<Row>>
  readonly durability: Durability
  /** The most pages that the file may have; 0 for no limit. */
  readonly maxPages: number
  /** Whether to upgrade a file of an earlier schema, which is refused otherwise. */
  readonly upgrade: boolean
}

/** SQLite truncates a longer log to this when it restarts the log. */
const LOG_BYTES = 32 * 2 ** 20

/**
 * SQLite checkpoints a log of so many pages (16 MiB), which blocks writes for some milliseconds.
 * The default is an eighth of that. A longer log needs fewer page writes, since most of its frames
 * are versions of the same few hundred pages.
 */
const CHECKPOINT_PAGES = 8_000

/**
 * The page cache. The file is not mapped into memory (`mmap_size`), since SQLite would then search
 * the log for each page with every read.
 */
const CACHE_KIB = 16 * 1024

/**
 * A transaction keeps up to so many changed pages (256 MiB) in memory. Beyond that, SQLite spills
 * them to the log before the commit, some of them many times.
 */
const CACHE_SPILL_PAGES = 131_072

/**
 * SQLite's busy timeout stays off, since it would block the event loop. The callers retry instead.
 */
const configure = (file: Connection, path: string, { durability, maxPages }: FileOptions): void => {
  const schema = supportedSchemaOf(file, path)
  if (schema < SCHEMA_VERSION) throw olderVersion(path, schema)
  if (file.pragma("journal_mode = WAL") !== "wal") {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${path} can't have a write-ahead log where it is`
    })
  }
  file.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
  file.pragma(`journal_size_limit = ${LOG_BYTES}`)
  file.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  file.pragma(`cache_size = -${CACHE_KIB}`)
  file.pragma(`cache_spill = ${CACHE_SPILL_PAGES}`)
  file.pragma("temp_store = MEMORY")
  file.pragma("foreign_keys = OFF")
  if (maxPages > 0) file.pragma(`max_page_count = ${maxPages}`)
  // SQLite creates the `-wal` and the `-shm` with the first read.
  file.pragma("user_version")
}

/** Tries once to open the file, without waiting. Throws a `StorageError` with its name. */
export const openFile = (options: FileOptions): OpenConnection & { readonly path: string } => {
  const { driver, filename, collections, upgrade } = options
  try {
    const { path, state } = checkFile(filename)
    if (state === "new") createFile(driver, path, collections)
    else {
      checkSchema(path, upgrade)
      checkNotMoved(driver, path)
      if (upgrade) upgradeFile(driver, path)
    }
    const connected = connectTo(driver, path)
    try {
      configure(connected.file, path, options)
      return { ...connected, path }
    } catch (thrown) {
      connected.close()
      throw thrown
    }
  } catch (thrown) {
    throw openingFailure(filename, thrown)
  }
}

/**
 * Refuses a file of an earlier schema before SQLite opens it, if opening could do harm. When SQLite
 * closes the connection, it checkpoints the log and deletes it. The log may belong to another file,
 * or be in use by a process that has lost its locks.
 */
const checkSchema = (path: string, upgrade: boolean): void => {
  const schema = olderSchemaAt(path)
  if (schema === undefined) return
  if (upgrade) checkNotOpenElsewhere(path)
  else if (hasLog(path)) throw olderVersion(path, schema)
}

/** Upgrades a file of an earlier schema, which no other connection may have open. */
const upgradeFile = (driver: Driver, path: string): void => {
  if (!isOlder(driver, path)) return
  const { file, close } = connectExclusively(driver, path)
  try {
    migrateExclusively(file, path)
  } finally {
    close()
  }
}

const isOlder = (driver: Driver, path: string): boolean => {
  const { file, close } = connectTo(driver, path)
  try {
    return supportedSchemaOf(file, path) < SCHEMA_VERSION
  } finally {
    close()
  }
}
