/**
 * Loads better-sqlite3, which the host installs. Its native part can't be bundled, so it is
 * required by name at run time, which bundlers do not follow.
 */
import { createRequire } from "node:module"
import { StorageError } from "@petstore/core"
import type { SqlRow, SqlValue } from "./Driver.js"
import { unfitReason } from "./unfit.js"

export type Statement = {
  readonly reader: boolean
  get(...values: SqlRow): unknown
  all(...values: SqlRow): ReadonlyArray<unknown>
  run(...values: SqlRow): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  columns(): ReadonlyArray<{ readonly name: string }>
  raw(): Statement
  pluck(): Statement
  safeIntegers(on: boolean): Statement
}

export type Database = {
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(sql: string): Statement
  exec(sql: string): unknown
  pragma(text: string, options: { readonly simple: true }): SqlValue | undefined
  function(
    name: string,
    options: { readonly deterministic: boolean },
    f: (value: SqlValue) => SqlValue
  ): unknown
  unsafeMode(on: boolean): unknown
  backup(
    path: string,
    options: {
      readonly progress: (left: {
        readonly totalPages: number
        readonly remainingPages: number
      }) => number
    }
  ): Promise<{ readonly totalPages: number }>
  close(): unknown
}

export type Options = {
  readonly fileMustExist?: boolean
  readonly timeout?: number
  readonly readonly?: boolean
}

export type DatabaseClass = new (file: string, options?: Options) => Database

export const PACKAGE = "better-sqlite3"

/** The second package depends on the first one, for versions of Node without SQLite. */
const PACKAGES = [PACKAGE, "@petstore/sqlite-driver"]

/** Throws `Unavailable` if the package is not installed beside the program, or does not work. */
export const loadBetterSqlite3 = (): DatabaseClass => {
  let found: unknown
  try {
    // A CommonJS bundle has no `import.meta.url`.
    const require = createRequire(typeof __filename === "string" ? __filename : import.meta.url)
    const path = resolved(require)
    const unfit = unfitReason(versionOf(createRequire(path)), process.versions)
    if (unfit !== undefined) throw new StorageError({ reason: "Unavailable", detail: unfit })
    found = require(path)
  } catch (cause) {
    throw cause instanceof StorageError ? cause : loadFailure(cause)
  }
  if (isDatabaseClass(found)) return found
  throw loadFailure(new Error(`what is installed as '${PACKAGE}' is not the driver`))
}

const resolved = (require: NodeJS.Require): string => {
  let missing: unknown
  for (const name of PACKAGES) {
    try {
      return require.resolve(name)
    } catch (thrown) {
      missing ??= thrown
    }
  }
  throw missing
}

/** Empty if its manifest can't be found. */
const versionOf = (require: NodeJS.Require): string => {
  try {
    const manifest: unknown = require(`${PACKAGE}/package.json`)
    return isObject(manifest) && "version" in manifest ? String(manifest.version) : ""
  } catch {
    return ""
  }
}

/** A class whose objects prepare statements and run pragmas. */
const isDatabaseClass = (found: unknown): found is DatabaseClass =>
  typeof found === "function" &&
  isObject(found.prototype) &&
  ["prepare", "pragma", "exec", "backup", "close"].every(
    (method) => typeof Reflect.get(found.prototype, method) === "function"
  )

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The driver can't be loaded, or its native part, which is built for one Node and system. */
export const loadFailure = (cause: unknown): StorageError => {
  const [why] = (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)
  return new StorageError({
    reason: "Unavailable",
    detail:
      `SQLite's driver can't be loaded (${why}): use Node 22.16 or later, which has SQLite ` +
      `built in, or install ${PACKAGE} where the program runs, for the Node that runs it; no ` +
      `bundle can hold it (external: ${PACKAGE})`,
    cause
  })
}

/** Whether an error of opening a file is about the native part of the driver. */
export const isLoadFailure = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (("code" in thrown &&
    (thrown.code === "ERR_DLOPEN_FAILED" || thrown.code === "MODULE_NOT_FOUND")) ||
    thrown.message.startsWith("Could not locate the bindings file"))
