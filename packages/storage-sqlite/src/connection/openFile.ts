/**
 * Opens the connection to a file: makes the file if it is not there, refuses what it should not
 * touch, sets it up.
 */
import { type Collection, type Row, StorageError } from "@petstore/core/storage"
import type { Connection, Driver } from "../driver/Driver.js"
import type { Durability } from "../base/Durability.js"
import { knownSchemaOf, olderVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { checkFile } from "./checkFile.js"
import { createFile } from "./createFile.js"
import { checkOnlyName, checkUnused, connectAlone, migrateAlone } from "./alone.js"
import { olderSchemaAt } from "./checkHeader.js"
import { hasLog } from "./log.js"
import { openingFailure } from "./openingFailure.js"
import { type Connected, connectTo } from "./OpenFiles.js"

export type FileOptions = {
  readonly driver: Driver
  readonly filename: string
  /** What a new file has tables for. */
  readonly collections: ReadonlyArray<Collection<Row>>
  readonly durability: Durability
  /** The most pages the file may have; 0 for as many as there is room for. */
  readonly maxPages: number
  /** Whether a file of an earlier schema is brought up to date; it is refused otherwise. */
  readonly upgrade: boolean
}

/** A longer log is truncated to this when SQLite starts it from the beginning. */
const LOG_BYTES = 32 * 2 ** 20

/**
 * SQLite checkpoints a log of so many pages (16 MiB), which stops every write for some
 * milliseconds. Its default is an eighth of that; but most pages of a log are the same few hundred
 * again.
 */
const CHECKPOINT_PAGES = 8_000

/**
 * The page cache. The file is not mapped into memory (`mmap_size`): SQLite would look up each
 * mapped page in the log with every read.
 */
const CACHE_KIB = 16 * 1024

/**
 * A transaction keeps up to so many changed pages (256 MiB) in memory. Beyond that SQLite writes
 * them to the log before the commit, some of them many times.
 */
const UNSPILLED_PAGES = 131_072

/**
 * SQLite's own wait would block the event loop, so it is off: waiting is for whoever runs programs.
 */
const setUp = (file: Connection, path: string, { durability, maxPages }: FileOptions): void => {
  const schema = knownSchemaOf(file, path)
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
  file.pragma(`cache_spill = ${UNSPILLED_PAGES}`)
  file.pragma("temp_store = MEMORY")
  file.pragma("foreign_keys = OFF")
  if (maxPages > 0) file.pragma(`max_page_count = ${maxPages}`)
  // SQLite makes the log, and what is shared of it, with the first read.
  file.pragma("user_version")
}

/** Opens the file once, without waiting for anyone. Throws a `StorageError` that names it. */
export const openFile = (options: FileOptions): Connected & { readonly path: string } => {
  const { driver, filename, collections, upgrade } = options
  try {
    const { path, state } = checkFile(filename)
    if (state === "new") createFile(driver, path, collections)
    else {
      checkOlder(path, upgrade)
      checkOnlyName(driver, path)
      if (upgrade) upgradeFile(driver, path)
    }
    const connected = connectTo(driver, path)
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

/**
 * Refuses a file of an earlier schema before SQLite opens it where that would do harm: a connection
 * that closes writes a log that was left behind into the file, and takes the log away from those
 * who have lost their locks.
 */
const checkOlder = (path: string, upgrade: boolean): void => {
  const schema = olderSchemaAt(path)
  if (schema === undefined) return
  if (upgrade) checkUnused(path)
  else if (hasLog(path)) throw olderVersion(path, schema)
}

/**
 * Brings the schema up to date if it is an earlier one; nobody else may have the file open then.
 */
const upgradeFile = (driver: Driver, path: string): void => {
  if (!isOlder(driver, path)) return
  const { file, close } = connectAlone(driver, path)
  try {
    migrateAlone(file, path)
  } finally {
    close()
  }
}

const isOlder = (driver: Driver, path: string): boolean => {
  const { file, close } = connectTo(driver, path)
  try {
    return knownSchemaOf(file, path) < SCHEMA_VERSION
  } finally {
    close()
  }
}
