/** The built-in driver of the runtime: `node:sqlite`. */
import { pathToFileURL } from "node:url"
import type { Command, Connection, Driver, Query, SqlRow, SqlValue } from "./Driver.js"
import { guardWith } from "./guard.js"
import { type Database, loadNodeSqlite, type Sqlite, type Statement } from "./loadNodeSqlite.js"
import { isOutOfRange, translated } from "./nodeErrors.js"

/** Copied in some milliseconds. */
const PAGES_AT_ONCE = 1_000

/** Undefined if this runtime has no `node:sqlite`, or one that is too old. */
export const nodeSqlite = (): Driver | undefined => {
  if (loaded !== undefined) return loaded
  const sqlite = loadNodeSqlite()
  return sqlite && (loaded = driverOf(sqlite))
}

let loaded: Driver | undefined

const driverOf = (sqlite: Sqlite): Driver => {
  const driver: Driver = {
    name: "node",
    library: sqlite.DatabaseSync,
    prefersText: false,
    sqliteVersion: () => {
      const database = new sqlite.DatabaseSync(":memory:")
      try {
        return String(Object.values(Object(database.prepare("SELECT sqlite_version()").get()))[0])
      } finally {
        database.close()
      }
    },
    open: (path, { readOnly }) => {
      const url = pathToFileURL(path)
      // As a URL, whose path has every character escaped. The mode prevents creating the file.
      url.searchParams.set("mode", readOnly ? "ro" : "rw")
      const database = guarded(() => new sqlite.DatabaseSync(url, { readOnly, timeout: 0 }))
      return connectionOf(sqlite, driver, database, path)
    }
  }
  return driver
}

const connectionOf = (
  sqlite: Sqlite,
  driver: Driver,
  database: Database,
  path: string
): Connection => {
  const prepare = (sql: string): Statement =>
    guarded(() => {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return statement
    })
  return {
    driver,
    path,
    get isOpen() {
      return database.isOpen
    },
    get isInTransaction() {
      return database.isOpen && database.isTransaction
    },
    rows: <R extends SqlRow>(sql: string) => queryOf(prepare(sql), sql, (row) => row as R),
    values: <A extends SqlValue>(sql: string) => queryOf(prepare(sql), sql, (row) => row[0] as A),
    command: (sql) => ({ run: runOf(prepare(sql), sql) }),
    statement: (sql) => {
      const statement = prepare(sql)
      return {
        columns: () => guarded(() => statement.columns().map(({ name }) => name)),
        all: (values, bigints) => {
          statement.setReadBigInts(true)
          const rows = checked(sql, (bound) => rowsOf(statement, bound))(...values)
          return bigints ? rows : rows.map(rounded)
        },
        run: runOf(statement, sql)
      }
    },
    exec: (sql) => guarded(() => database.exec(sql)),
    pragma: (text) => {
      const [row] = guarded(() => rowsOf(prepare(`PRAGMA ${text}`), []))
      return row?.[0]
    },
    define: (name, f) => database.function(name, { deterministic: true }, (value) => f(value)),
    withWritableSchema: (run) => {
      database.enableDefensive?.(false)
      try {
        run()
      } finally {
        database.enableDefensive?.(true)
      }
    },
    copyTo: async (to, onProgress) => {
      try {
        const totalPages = await sqlite.backup(database, to, {
          rate: PAGES_AT_ONCE,
          progress: ({ totalPages, remainingPages }) =>
            onProgress({ copiedPages: totalPages - remainingPages, totalPages })
        })
        onProgress({ copiedPages: totalPages, totalPages })
      } catch (thrown) {
        throw translated(thrown)
      }
    },
    close: () => {
      if (database.isOpen) guarded(() => database.close())
    }
  }
}

const { guarded, checked } = guardWith(translated)

const queryOf = <A>(statement: Statement, sql: string, read: (row: SqlRow) => A): Query<A> => {
  /** Reads again with bigints if an integer is above 2^53. */
  const again = (thrown: unknown, values: SqlRow): ReadonlyArray<A> => {
    if (!isOutOfRange(thrown)) throw thrown
    statement.setReadBigInts(true)
    try {
      return rowsOf(statement, values).map(rounded).map(read)
    } finally {
      statement.setReadBigInts(false)
    }
  }
  return {
    get: checked(sql, (values) => {
      try {
        const row = statement.get(...values)
        return row === undefined ? undefined : read(row as SqlRow)
      } catch (thrown) {
        return again(thrown, values)[0]
      }
    }),
    all: checked(sql, (values) => {
      try {
        return rowsOf(statement, values).map(read)
      } catch (thrown) {
        return again(thrown, values)
      }
    })
  }
}

/**
 * With bigints: otherwise, once a row with an id above 2^53 was inserted, Node 26 throws for the
 * result of every later statement, also of a commit.
 */
const runOf = (statement: Statement, sql: string): Command["run"] => {
  statement.setReadBigInts(true)
  return checked(sql, (values) => {
    const { changes, lastInsertRowid } = statement.run(...values)
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
  })
}

/** The statement returns arrays because `setReturnArrays` was called. */
const rowsOf = (statement: Statement, values: SqlRow) =>
  statement.all(...values) as ReadonlyArray<SqlRow>

const rounded = (row: SqlRow): SqlRow =>
  row.map((value) => (typeof value === "bigint" ? Number(value) : value))
