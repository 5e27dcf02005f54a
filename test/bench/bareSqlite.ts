/**
 * SQLite as people use it who write SQL by hand: by the library that the store uses on this Node,
 * so that both may have one file open in a process.
 */
import { createRequire } from "node:module"

export type Value = string | number | null

export type Statement<Values extends ReadonlyArray<Value>, Row> = {
  get(...values: Values): Row | undefined
  all(...values: Values): ReadonlyArray<Row>
  run(...values: Values): { readonly lastInsertRowid: number | bigint }
}

export type Database = {
  exec(sql: string): unknown
  prepare<Values extends ReadonlyArray<Value>, Row = unknown>(sql: string): Statement<Values, Row>
  close(): unknown
}

type DatabaseClass = new (filename: string) => Database

const isClass = (found: unknown): found is DatabaseClass => typeof found === "function"

const libraryOf = (): DatabaseClass => {
  const builtin: unknown = process.getBuiltinModule("node:sqlite")
  const found: unknown =
    typeof builtin === "object" && builtin !== null && "DatabaseSync" in builtin
      ? builtin.DatabaseSync
      : createRequire(import.meta.url)("better-sqlite3")
  if (isClass(found)) return found
  throw new Error("there is no SQLite")
}

/** Opens a file, which is created unless it is there. */
export const openDatabase = (filename: string): Database => new (libraryOf())(filename)

/** Has a statement return rows as arrays, by whichever method the library has for it. */
export const asArrays = <Values extends ReadonlyArray<Value>>(
  statement: Statement<Values, unknown>
): Statement<Values, unknown> => {
  if ("raw" in statement && typeof statement.raw === "function") statement.raw()
  else if ("setReturnArrays" in statement && typeof statement.setReturnArrays === "function")
    statement.setReturnArrays(true)
  return statement
}

/** Calls a function within a transaction each time it is called. */
export const inTransaction = <Args extends ReadonlyArray<unknown>, A>(
  file: Database,
  run: (...args: Args) => A
): ((...args: Args) => A) => {
  const begin = file.prepare<[]>("BEGIN")
  const commit = file.prepare<[]>("COMMIT")
  const rollback = file.prepare<[]>("ROLLBACK")
  return (...args) => {
    begin.run()
    try {
      const result = run(...args)
      commit.run()
      return result
    } catch (error) {
      rollback.run()
      throw error
    }
  }
}
