/**
 * Connections of tests to the files of stores. They are made by the driver that the store uses by
 * default: two libraries must not have one file open in one process.
 */
import { existsSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import {
  type Connection,
  type Driver,
  type DriverName,
  DRIVERS,
  type SqlRow,
  type SqlValue
} from "../../packages/storage-sqlite/src/driver/Driver.js"
import { driverOf } from "../../packages/storage-sqlite/src/driver/driverOf.js"

/** How long it waits for the locks of other processes, in milliseconds. */
const BUSY_MS = 5_000

/** Opens a file, which is made if it is not there. */
export const openSqlite = (
  filename: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {}
): Connection => {
  if (!existsSync(filename)) writeFileSync(filename, "")
  const file = driverOf().open(filename, { readOnly })
  file.pragma(`busy_timeout = ${BUSY_MS}`)
  return file
}

/** The rows of a query by the names of their columns. */
export const recordsIn = (
  file: Connection,
  sql: string,
  ...values: SqlRow
): ReadonlyArray<Readonly<Record<string, SqlValue>>> => {
  const statement = file.statement(sql)
  const columns = statement.columns()
  return statement
    .all(values, false)
    .map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])))
}

/** Where better-sqlite3 is, for programs that have no other SQLite; empty where it is not. */
export const betterSqlite3Path = (): string => {
  try {
    return createRequire(import.meta.url).resolve("better-sqlite3")
  } catch {
    return ""
  }
}

/** The drivers that can be had here; one whose native part is missing is none. */
export const driversAtHand = (): ReadonlyArray<Driver> =>
  DRIVERS.flatMap((name) => {
    try {
      const driver = driverOf(name)
      driver.sqliteVersion()
      return driver
    } catch {
      return []
    }
  })

const isAtHand = (name: DriverName): boolean =>
  driversAtHand().some((driver) => driver.name === name)

/** Whether better-sqlite3 is there for this Node: it may be built for another one, or not fit. */
export const hasBetterSqlite3 = isAtHand("better-sqlite3")

/** Whether this runtime has SQLite built in. */
export const hasBuiltinSqlite = isAtHand("node")
