/**
 * The port to SQLite: everything that this package needs from a driver. Code outside this folder
 * does not depend on which driver is in use.
 */

/** A value that SQLite stores. For booleans, write 0 or 1. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** The values of one row, in the order of the select list. */
export type SqlRow = ReadonlyArray<SqlValue>

/**
 * A compiled statement that reads. Its parameters are bound by position. A missing value is a
 * `RangeError`, a value that SQLite can't store a `TypeError`. Integers above 2^53 are rounded.
 */
export type Query<A> = {
  readonly get: (...values: SqlRow) => A | undefined
  readonly all: (...values: SqlRow) => ReadonlyArray<A>
}

/** The result of a statement that writes. An id above 2^53 is rounded. */
export type Changes = { readonly changes: number; readonly lastInsertRowid: number }

/** A compiled statement that writes, or begins or ends a transaction. */
export type Command = { readonly run: (...values: SqlRow) => Changes }

/** A compiled statement of any kind. Only SQLite knows whether it returns rows. */
export type AnyStatement = {
  /** The names of its columns; empty if it returns no rows. */
  readonly columns: () => ReadonlyArray<string>
  /** Its rows, with bigints for all integers or for none. */
  readonly all: (values: SqlRow, bigints: boolean) => ReadonlyArray<SqlRow>
  readonly run: (...values: SqlRow) => Changes
}

export type PagesCopied = { readonly copiedPages: number; readonly totalPages: number }

/** An open file. Errors of SQLite are thrown as `SqliteError`. */
export type Connection = {
  readonly driver: Driver
  /** The path that was opened. */
  readonly path: string
  readonly isOpen: boolean
  /**
   * Whether a transaction is open. Closing the connection ends it, and SQLite ends it when the
   * disk is full.
   */
  readonly isInTransaction: boolean
  /** Compiles a query for whole rows. */
  readonly rows: <R extends SqlRow>(sql: string) => Query<R>
  /** Compiles a query for the first column. */
  readonly values: <A extends SqlValue>(sql: string) => Query<A>
  readonly command: (sql: string) => Command
  readonly statement: (sql: string) => AnyStatement
  /** Runs statements without values. Use `command` for those that may wait for a lock. */
  readonly exec: (sql: string) => void
  /** Runs `PRAGMA text`. Returns the first value of the first row, if there is one. */
  readonly pragma: (text: string) => SqlValue | undefined
  /** Defines a deterministic SQL function of one argument. */
  readonly define: (name: string, f: (value: SqlValue) => SqlValue) => void
  /** Runs something that changes the text of tables in `sqlite_schema`. */
  readonly withWritableSchema: (run: () => void) => void
  /**
   * Copies the file over another one, some pages at a time, so that the event loop can run in
   * between. In the last call of `onProgress` all pages are copied.
   */
  readonly copyTo: (path: string, onProgress: (progress: PagesCopied) => void) => Promise<void>
  /** A second call does nothing. */
  readonly close: () => void
}

export const DRIVERS = ["node", "better-sqlite3"] as const

/**
 * `node` is the module `node:sqlite` of Node 22.16 and later 22, Node 24 and later, Bun and Deno;
 * `better-sqlite3` is the package.
 */
export type DriverName = (typeof DRIVERS)[number]

export type Driver = {
  readonly name: DriverName
  /** Identifies the loaded SQLite library: two libraries must not have the same file open. */
  readonly library: unknown
  readonly sqliteVersion: () => string
  /**
   * Whether a page of rows is read faster as one JSON text per row than value by value. A single
   * row is not. Measured: docs/notes/lessons.md.
   */
  readonly prefersText: boolean
  /** Opens an existing file. Does not wait for locks. */
  readonly open: (path: string, options: { readonly readOnly: boolean }) => Connection
}
