/**
 * The port to SQLite: all that this package asks of a driver. Nothing outside this folder knows
 * which one is in use.
 */

/** A value that SQLite stores. Booleans are none: write 0 or 1. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** The values of one row, in the order of the select list. */
export type SqlRow = ReadonlyArray<SqlValue>

/**
 * A compiled statement that reads. Its parameters are bound by position: a value too few is a
 * `RangeError`, what SQLite doesn't store a `TypeError`. Integers beyond 2^53 come rounded.
 */
export type Query<A> = {
  readonly get: (...values: SqlRow) => A | undefined
  readonly all: (...values: SqlRow) => ReadonlyArray<A>
}

/** What a statement that writes has done. An id beyond 2^53 comes rounded. */
export type Changes = { readonly changes: number; readonly lastInsertRowid: number }

/** A compiled statement that writes, or begins or ends a transaction. */
export type Command = { readonly run: (...values: SqlRow) => Changes }

/** A compiled statement of which only SQLite knows whether it gives rows. */
export type AnyStatement = {
  /** The names of its columns; none where it gives no rows. */
  readonly columns: () => ReadonlyArray<string>
  /** Its rows, with bigints for all integers or for none. */
  readonly all: (values: SqlRow, bigints: boolean) => ReadonlyArray<SqlRow>
  readonly run: (...values: SqlRow) => Changes
}

export type PagesCopied = { readonly copiedPages: number; readonly totalPages: number }

/** An open file. What SQLite refuses is thrown as `SqliteError`. */
export type Connection = {
  readonly driver: Driver
  /** The file, as it was opened. */
  readonly path: string
  readonly isOpen: boolean
  /**
   * Whether a transaction is open, which the end of the connection ends, and SQLite by itself when
   * the disk is full.
   */
  readonly isInTransaction: boolean
  /** Compiles a query for whole rows. */
  readonly rows: <R extends SqlRow>(sql: string) => Query<R>
  /** Compiles a query for the first column. */
  readonly values: <A extends SqlValue>(sql: string) => Query<A>
  readonly command: (sql: string) => Command
  readonly statement: (sql: string) => AnyStatement
  /** Runs statements without values. Those that may have to wait for a lock go by `command`. */
  readonly exec: (sql: string) => void
  /** Runs `PRAGMA text`. Answers the first value of its first row, if it gives any. */
  readonly pragma: (text: string) => SqlValue | undefined
  /** Defines a function in SQL of one argument, which always gives the same for the same. */
  readonly define: (name: string, f: (value: SqlValue) => SqlValue) => void
  /** Runs something that changes the text of tables in `sqlite_schema`. */
  readonly withWritableSchema: (run: () => void) => void
  /**
   * Copies the file over another one, some pages at a time, and leaves the event loop free
   * meanwhile. The last call of `onProgress` has all pages.
   */
  readonly copyTo: (path: string, onProgress: (progress: PagesCopied) => void) => Promise<void>
  /** A second time does nothing. */
  readonly close: () => void
}

export const DRIVERS = ["node", "better-sqlite3"] as const

/**
 * What SQLite is reached by: `node` is the module `node:sqlite`, which Node has from 22.16 and 24
 * on, Bun and Deno too; `better-sqlite3` is the package.
 */
export type DriverName = (typeof DRIVERS)[number]

export type Driver = {
  readonly name: DriverName
  /** Stands for the copy of SQLite that is loaded: two of them must not have one file open. */
  readonly library: unknown
  readonly sqliteVersion: () => string
  /**
   * Whether a page of rows comes faster as one JSON text a row than value by value, which a single
   * row does not. Measured: docs/notes/lessons.md.
   */
  readonly prefersText: boolean
  /** Opens a file that is there. Locks are not waited for. */
  readonly open: (path: string, options: { readonly readOnly: boolean }) => Connection
}
