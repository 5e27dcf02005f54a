/** Brings a file's schema up to date: forward only, all steps in one transaction, the write lock taken first. */
import { StorageError } from "@petstore/core"
import type { Database } from "better-sqlite3"
import { shop } from "./0001_shop.js"
import { fewerLists } from "./0002_fewer_lists.js"
import { idsByRows } from "./0003_ids_by_rows.js"
import { totalsFollow } from "./0004_totals_follow.js"

/** "PtSt": tells our files from other applications'. */
export const APPLICATION_ID = 0x50745374

/** Step n leads from schema n to schema n + 1. */
const STEPS: ReadonlyArray<string> = [shop, fewerLists, idsByRows, totalsFollow]

/** The schema this version writes, kept in the file as its `user_version`. */
export const SCHEMA_VERSION = STEPS.length

const versionOf = (file: Database): number => Number(file.pragma("user_version", { simple: true }))

/** Whether a newer version has written the schema: what it means by its tables is not known here. */
export const isNewer = (file: Database): boolean => versionOf(file) > SCHEMA_VERSION

export const newerVersion = (filename: string): StorageError =>
  new StorageError({ reason: "NewerVersion", detail: `${filename} was written by a newer version` })

/** Runs the steps that are missing. Another process may be doing the same: whoever comes second finds nothing to do. */
export const migrate = (file: Database): void => {
  if (isNewer(file)) throw newerVersion(file.name)
  if (versionOf(file) < SCHEMA_VERSION) file.transaction(() => bringUp(file)).immediate()
}

const bringUp = (file: Database): void => {
  const found = versionOf(file)
  if (found >= SCHEMA_VERSION) return
  // Otherwise the driver lets nobody change the text of a table. A connection whose migration fails is closed.
  file.unsafeMode(true)
  for (const step of STEPS.slice(found)) file.exec(step)
  file.unsafeMode(false)
  file.pragma(`application_id = ${APPLICATION_ID}`)
  file.pragma(`user_version = ${SCHEMA_VERSION}`)
}
