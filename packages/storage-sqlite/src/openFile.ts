/** Opens the connections of one file: makes the file if it is not there, brings its schema up to date, sets it up. */
import { chmodSync, closeSync, linkSync, openSync, rmSync } from "node:fs"
import { StorageError } from "@petstore/core"
import Connection, { type Database } from "better-sqlite3"
import { checkFile } from "./checkFile.js"
import { migrate } from "./migrations/migrate.js"
import { failureOf } from "./sqliteFailure.js"

export type Durability = "full" | "relaxed"

export type FileOptions = {
  readonly filename: string
  readonly durability: Durability
  /** The most pages the file may have; 0 for as many as there is room for. */
  readonly maxPages: number
}

/** Only its owner may read a store: it holds digests of keys and everything that was ordered. */
const MODE = 0o600

/** SQLite's own wait blocks the event loop, so it is shorter than anyone notices; longer waits are the writer's. */
const BLOCKING_WAIT_MS = 20

/** The log is cut back to this after a checkpoint. */
const LOG_BYTES = 16 * 2 ** 20

/** Makes the file under another name and links it into place when it is whole, so that nobody ever meets half of one. */
const create = (filename: string): void => {
  const draft = `${filename}.new-${process.pid}-${process.hrtime.bigint()}`
  try {
    closeSync(openSync(draft, "wx", MODE))
    chmodSync(draft, MODE)
    const file = new Connection(draft)
    try {
      file.pragma("journal_mode = DELETE")
      file.pragma("synchronous = FULL")
      migrate(file)
    } finally {
      file.close()
    }
    linkSync(draft, filename)
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown
  } finally {
    rmSync(draft, { force: true })
  }
}

const connect = ({ filename, durability, maxPages }: FileOptions, readonly: boolean): Database => {
  const file = new Connection(filename, { fileMustExist: true, timeout: BLOCKING_WAIT_MS })
  file.pragma("journal_mode = WAL")
  file.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
  file.pragma(`journal_size_limit = ${LOG_BYTES}`)
  file.pragma("cache_size = -16000")
  file.pragma("temp_store = MEMORY")
  file.pragma("foreign_keys = OFF")
  if (maxPages > 0) file.pragma(`max_page_count = ${maxPages}`)
  if (readonly) file.pragma("query_only = ON")
  return file
}

const OPENING_TRIES = 250

/** Others may be opening, migrating or writing: what is busy is tried again for some seconds. Blocks; only for opening. */
const patiently = <A>(run: () => A): A => {
  for (let tries = 1; ; tries++) {
    try {
      return run()
    } catch (thrown) {
      if (failureOf(thrown, "open")?.reason !== "Busy" || tries >= OPENING_TRIES) throw thrown
    }
  }
}

/** One connection that writes and one that reads. Throws a `StorageError` that names the file. */
export const openFile = (options: FileOptions): { readonly writing: Database; readonly reading: Database } => {
  const { filename } = options
  const opened: Array<Database> = []
  const keep = (file: Database): Database => {
    opened.push(file)
    return file
  }
  try {
    if (checkFile(filename) === "new") create(filename)
    const writing = keep(patiently(() => connect(options, false)))
    patiently(() => migrate(writing))
    return { writing, reading: keep(patiently(() => connect(options, true))) }
  } catch (thrown) {
    for (const file of opened) file.close()
    if (thrown instanceof StorageError) throw thrown
    throw (
      failureOf(thrown, `open ${filename}`) ??
      new StorageError({ reason: "Unavailable", detail: `${filename} can't be opened`, cause: thrown })
    )
  }
}
