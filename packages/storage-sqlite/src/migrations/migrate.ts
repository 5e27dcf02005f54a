/** Upgrades the schema of a file: forward only, all steps in one transaction. */
import { type Collection, type Row, StorageError } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { inTransaction } from "../driver/transaction.js"
import { schemaSql } from "../schema/schemaSql.js"
import { failureOf } from "../base/sqliteFailure.js"
import { wallClockMs } from "../base/timers.js"
import { STEPS } from "./steps.js"
import {
  APPLICATION_ID,
  FIRST_WITH_LAST_IDS,
  newUserVersion,
  schemaByTables,
  schemaOf,
  userVersionOf
} from "./version.js"

/** The schema this version writes. */
export const SCHEMA_VERSION = STEPS.length + 1

export const newerVersion = (filename: string, schema: number): StorageError =>
  new StorageError({
    reason: "NewerVersion",
    detail:
      `${filename} was written by a newer version: its schema is ${schema}, this version knows ` +
      `${SCHEMA_VERSION}; use the newer version, or restore a backup that this one made`
  })

export const olderVersion = (filename: string, schema: number): StorageError =>
  new StorageError({
    reason: "OlderVersion",
    detail:
      `${filename} was written by an earlier version: its schema is ${schema}, this version ` +
      `needs ${SCHEMA_VERSION}; stop its servers and run: petstore upgrade --db ${filename}`
  })

/** Whether a newer version has upgraded the schema, so that this version must not write. */
export const isNewer = (file: Connection): boolean => schemaOf(userVersionOf(file)) > SCHEMA_VERSION

/**
 * The schema of a file, if this version supports it. Throws `NewerVersion` if not, and `Corrupt` if
 * its `user_version` does not fit its tables.
 */
export const supportedSchemaOf = (file: Connection, filename: string): number => {
  const declared = schemaOf(userVersionOf(file))
  if (declared > SCHEMA_VERSION) throw newerVersion(filename, declared)
  const actual = orIfCorrupt(declared, () => schemaByTables(file))
  if (declared === 0 && actual === 0) {
    throw new StorageError({
      reason: "Unavailable",
      detail: `${filename} belongs to another application; name the file of a store`
    })
  }
  if (actual === declared) return declared
  throw new StorageError({
    reason: "Corrupt",
    detail:
      `${filename} declares schema ${declared}, but has the tables of schema ${actual}: another ` +
      "program has changed its user_version; restore a backup (petstore restore BACKUP " +
      `--db ${filename})`
  })
}

/** A damaged file passes, since its tables can't be read; `verify` reports the damage. */
const orIfCorrupt = <A>(otherwise: A, read: () => A): A => {
  try {
    return read()
  } catch (thrown) {
    if (failureOf(thrown, "read")?.reason === "Corrupt") return otherwise
    throw thrown
  }
}

/** Creates the tables of an empty file for these collections. */
export const createSchema = (file: Connection, collections: ReadonlyArray<Collection<Row>>): void =>
  execute(file, "created_ms", schemaSql(collections))

/** Tables whose last ids SQLite does not store. */
const WITHOUT_AUTOINCREMENT = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND sql NOT LIKE '%AUTOINCREMENT%'`

/**
 * A restore stores the last id of a table that a later step creates, so that no id is assigned
 * twice (carryOver.ts). Files without `last_ids` have it in `sqlite_sequence`.
 */
const MOVE_LAST_IDS = `
INSERT OR REPLACE INTO last_ids SELECT name, seq FROM sqlite_sequence
  WHERE name IN (${WITHOUT_AUTOINCREMENT});
DELETE FROM sqlite_sequence WHERE name IN (${WITHOUT_AUTOINCREMENT});`

/** Runs all missing steps, in one transaction. No other process may have the file open. */
export const migrate = (file: Connection, filename: string): void => {
  const schema = supportedSchemaOf(file, filename)
  if (schema === SCHEMA_VERSION) return
  const steps = STEPS.slice(schema - 1).map(({ sql }) => sql)
  if (schema < FIRST_WITH_LAST_IDS) steps.push(MOVE_LAST_IDS)
  // One of the steps changes the text of tables.
  file.withWritableSchema(() => execute(file, "upgraded_ms", steps.join("")))
}

/** Runs the statements in one transaction, and stores the schema and the time. */
const execute = (file: Connection, note: "created_ms" | "upgraded_ms", sql: string): void =>
  inTransaction(file, "IMMEDIATE", () => {
    file.exec(sql)
    file.command("INSERT OR REPLACE INTO about VALUES (?, ?)").run(note, String(wallClockMs()))
    file.pragma(`application_id = ${APPLICATION_ID}`)
    file.pragma(`user_version = ${newUserVersion(SCHEMA_VERSION)}`)
  })
