/**
 * Loads `node:sqlite`, which Node 22.16 and later 22, Node 24 and later, Bun and Deno have. It is
 * loaded by name at run time, since Node 20 and bundlers don't know it.
 */
import type { SqlRow, SqlValue } from "./Driver.js"

export type Statement = {
  get(...values: SqlRow): unknown
  all(...values: SqlRow): ReadonlyArray<unknown>
  run(...values: SqlRow): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  columns(): ReadonlyArray<{ readonly name: string }>
  setReturnArrays(on: boolean): void
  setReadBigInts(on: boolean): void
}

export type Database = {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  prepare(sql: string): Statement
  exec(sql: string): void
  function(
    name: string,
    options: { readonly deterministic: boolean },
    f: (value: SqlValue) => SqlValue
  ): void
  enableDefensive?(on: boolean): void
  close(): void
}

export type Sqlite = {
  readonly DatabaseSync: new (
    file: URL | string,
    options?: { readonly readOnly: boolean; readonly timeout: number }
  ) => Database
  readonly backup: (
    database: Database,
    path: string,
    options: {
      readonly rate: number
      readonly progress: (left: {
        readonly totalPages: number
        readonly remainingPages: number
      }) => void
    }
  ) => Promise<number>
}

/** Undefined if this runtime has no `node:sqlite`, or one that is too old. */
export const loadNodeSqlite = (): Sqlite | undefined => {
  const sqlite = withoutWarning((): unknown => process.getBuiltinModule("node:sqlite"))
  return isSqlite(sqlite) ? sqlite : undefined
}

const isSqlite = (found: unknown): found is Sqlite =>
  typeof found === "object" &&
  found !== null &&
  "DatabaseSync" in found &&
  "backup" in found &&
  "StatementSync" in found &&
  typeof found.StatementSync === "function" &&
  typeof Reflect.get(found.StatementSync.prototype, "setReturnArrays") === "function"

/** Suppresses only the warning of Node 22, at the first load, that SQLite is experimental. */
const withoutWarning = <A>(run: () => A): A => {
  const emit = process.emitWarning.bind(process)
  const descriptor = Object.getOwnPropertyDescriptor(process, "emitWarning")
  process.emitWarning = (warning: string | Error, ...rest: ReadonlyArray<unknown>): void => {
    if (rest[0] !== "ExperimentalWarning" || !/\bSQLite\b/.test(String(warning)))
      Reflect.apply(emit, process, [warning, ...rest])
  }
  try {
    return run()
  } finally {
    if (descriptor === undefined) Reflect.deleteProperty(process, "emitWarning")
    else Object.defineProperty(process, "emitWarning", descriptor)
  }
}
