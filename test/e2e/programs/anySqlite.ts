/**
 * Opens a file without anything of the store's: as another program would, by the SQLite that is at
 * hand.
 */
import { createRequire } from "node:module"

type Value = string | number | null

export type SqliteFile = {
  exec(sql: string): unknown
  prepare(sql: string): {
    get(...values: ReadonlyArray<Value>): unknown
    run(...values: ReadonlyArray<Value>): { readonly lastInsertRowid: number | bigint }
  }
  close(): unknown
}

type SqliteClass = new (filename: string) => SqliteFile

const isClass = (found: unknown): found is SqliteClass => typeof found === "function"

export const anySqlite = (filename: string, busyMs = 0): SqliteFile => {
  const builtin: unknown = process.getBuiltinModule("node:sqlite")
  const found: unknown =
    typeof builtin === "object" && builtin !== null && "DatabaseSync" in builtin
      ? builtin.DatabaseSync
      : createRequire(import.meta.url)("better-sqlite3")
  if (!isClass(found)) throw new Error("there is no SQLite")
  const file = new found(filename)
  file.exec(`PRAGMA busy_timeout = ${busyMs}`)
  return file
}
