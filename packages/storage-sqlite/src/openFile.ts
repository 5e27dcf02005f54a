/** Opens the connection to a file: makes the file if it is not there, brings its schema up to date, sets it up. */
import { StorageError } from "@petstore/core"
import Connection, { type Database } from "better-sqlite3"
import { checkFile } from "./checkFile.js"
import { createFile, PAGE_BYTES } from "./createFile.js"
import type { Durability } from "./Durability.js"
import { FRAME_HEADER_BYTES } from "./FileHeader.js"
import { migrate } from "./migrations/migrate.js"
import { failureOf } from "./sqliteFailure.js"

export type FileOptions = {
  readonly filename: string
  readonly durability: Durability
  /** The most pages the file may have; 0 for as many as there is room for. */
  readonly maxPages: number
}

/** The log is cut back to this when it starts anew. */
const LOG_BYTES = 32 * 2 ** 20

/**
 * A log of so many pages, 16 megabytes, is written back into the file, which stops every write for some milliseconds: four times as many as of SQLite's
 * own default, since most of them are the same few hundred pages again. That is 8 % off orders in groups, and half of the 99.5th percentile
 * of single ones. Reading takes no longer.
 */
const CHECKPOINT_PAGES = 8_000

/** The length of the log by then. From there on it is overwritten from its start, unless a reader still needs it. */
export const CHECKPOINT_BYTES = CHECKPOINT_PAGES * (FRAME_HEADER_BYTES + PAGE_BYTES)

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
const connect = (path: string, { durability, maxPages }: FileOptions): Database => {
  const file = new Connection(path, { fileMustExist: true, timeout: 0 })
  try {
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
    migrate(file)
    return file
  } catch (thrown) {
    file.close()
    throw thrown
  }
}

/** Opens the file once, without waiting for anyone. Throws a `StorageError` that names it. */
export const openFile = (options: FileOptions): { readonly file: Database; readonly path: string } => {
  const { filename } = options
  try {
    const { path, state } = checkFile(filename)
    if (state === "new") createFile(path)
    return { file: connect(path, options), path }
  } catch (thrown) {
    throw openingFailure(filename, thrown)
  }
}

/** Why a file can't be opened, whatever was thrown meanwhile. */
export const openingFailure = (filename: string, thrown: unknown): StorageError => {
  if (thrown instanceof StorageError) return thrown
  const isFull = thrown instanceof Error && "code" in thrown && thrown.code === "ENOSPC"
  const reason = isFull ? "Full" : "Unavailable"
  return (
    failureOf(thrown, `open ${filename}`) ??
    new StorageError({ reason, detail: `${filename} can't be opened`, cause: thrown })
  )
}
