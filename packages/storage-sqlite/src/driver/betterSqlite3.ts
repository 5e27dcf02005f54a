/** The driver for versions of Node without `node:sqlite`: better-sqlite3. */
import type { Command, Connection, Driver, Query, SqlRow, SqlValue } from "./Driver.js"
import { guardWith } from "./guard.js"
import {
  type Database,
  type DatabaseClass,
  isLoadFailure,
  loadBetterSqlite3,
  loadFailure,
  type Options,
  PACKAGE,
  type Statement
} from "./loadBetterSqlite3.js"
import { numberOf } from "./resultCodes.js"
import { ConnectionClosed, SqliteError } from "./SqliteError.js"

/** Copied in some milliseconds; the event loop runs in between. */
const PAGES_AT_ONCE = 1_000

/** Throws `Unavailable` if the package is not installed beside the program, or does not work. */
export const betterSqlite3 = (): Driver => (loaded ??= driverOf(loadBetterSqlite3()))

let loaded: Driver | undefined

const opened = (Class: DatabaseClass, file: string, options?: Options): Database => {
  try {
    return new Class(file, options)
  } catch (thrown) {
    throw isLoadFailure(thrown) ? loadFailure(thrown) : translated(thrown)
  }
}

const driverOf = (Class: DatabaseClass): Driver => {
  const driver: Driver = {
    name: PACKAGE,
    library: Class,
    prefersText: true,
    sqliteVersion: () => {
      const database = opened(Class, ":memory:")
      try {
        return String(database.prepare("SELECT sqlite_version()").pluck().get())
      } finally {
        database.close()
      }
    },
    open: (path, { readOnly }) =>
      connectionOf(
        driver,
        opened(Class, path, { fileMustExist: true, timeout: 0, readonly: readOnly }),
        path
      )
  }
  return driver
}

const connectionOf = (driver: Driver, database: Database, path: string): Connection => {
  const prepare = (sql: string): Statement => guarded(() => database.prepare(sql))
  return {
    driver,
    path,
    get isOpen() {
      return database.open
    },
    get isInTransaction() {
      return database.inTransaction
    },
    rows: <R extends SqlRow>(sql: string) => queryOf<R>(prepare(sql).raw(), sql),
    values: <A extends SqlValue>(sql: string) => queryOf<A>(prepare(sql).pluck(), sql),
    command: (sql) => ({ run: runOf(prepare(sql), sql) }),
    statement: (sql) => {
      const statement = prepare(sql)
      return {
        columns: () =>
          guarded(() => (statement.reader ? statement.columns().map(({ name }) => name) : [])),
        all: (values, bigints) =>
          queryOf<SqlRow>(statement.raw().safeIntegers(bigints), sql).all(...values),
        run: runOf(statement, sql)
      }
    },
    exec: (sql) => void guarded(() => database.exec(sql)),
    pragma: (text) => guarded(() => database.pragma(text, { simple: true })),
    define: (name, f) => void database.function(name, { deterministic: true }, (value) => f(value)),
    withWritableSchema: (run) => {
      database.unsafeMode(true)
      try {
        run()
      } finally {
        database.unsafeMode(false)
      }
    },
    copyTo: async (to, onProgress) => {
      try {
        const { totalPages } = await database.backup(to, {
          progress: (left) => {
            const copiedPages = left.totalPages - left.remainingPages
            onProgress({ copiedPages, totalPages: left.totalPages })
            return PAGES_AT_ONCE
          }
        })
        onProgress({ copiedPages: totalPages, totalPages })
      } catch (thrown) {
        throw translated(thrown)
      }
    },
    close: () => void guarded(() => database.close())
  }
}

/** Returns errors that are not SQLite's unchanged. */
const translated = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error)) return thrown
  if (thrown instanceof TypeError && thrown.message === "The database connection is not open")
    return new ConnectionClosed(thrown.message, { cause: thrown })
  if (thrown.name !== "SqliteError" || !("code" in thrown)) return thrown
  return new SqliteError(thrown.message, numberOf(String(thrown.code)), { cause: thrown })
}

const { guarded, checked } = guardWith(translated)

/** The mode of the statement determines the form of the rows. */
const queryOf = <A>(statement: Statement, sql: string): Query<A> => ({
  get: checked(sql, (values) => statement.get(...values) as A | undefined),
  all: checked(sql, (values) => statement.all(...values) as ReadonlyArray<A>)
})

const runOf = (statement: Statement, sql: string): Command["run"] =>
  checked(sql, (values) => {
    const { changes, lastInsertRowid } = statement.run(...values)
    return { changes, lastInsertRowid: Number(lastInsertRowid) }
  })
