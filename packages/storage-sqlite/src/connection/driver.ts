/**
 * SQLite's driver, loaded when the first file is opened. Its native part goes into no bundle, so it
 * is required by name at run time, where bundlers leave it alone.
 */
import { createRequire } from "node:module"
import { StorageError } from "@petstore/core"
import type Connection from "better-sqlite3"

const PACKAGE = "better-sqlite3"

let loaded: typeof Connection | undefined

/** Throws `Unavailable` where it is not installed beside the program. */
export const driver = (): typeof Connection => (loaded ??= load())

const load = (): typeof Connection => {
  try {
    // A bundle in CommonJS has no URL of its own.
    const require = createRequire(typeof __filename === "string" ? __filename : import.meta.url)
    const found: unknown = require(PACKAGE)
    if (isDriver(found)) return found
    throw new Error(`what is installed as '${PACKAGE}' is not the driver`)
  } catch (cause) {
    throw driverFailure(cause)
  }
}

/**
 * A class whose objects prepare statements and run pragmas: what this package asks of the driver.
 */
const isDriver = (found: unknown): found is typeof Connection =>
  typeof found === "function" &&
  isObject(found.prototype) &&
  ["prepare", "transaction", "pragma", "exec", "close"].every(
    (method) => typeof Reflect.get(found.prototype, method) === "function"
  )

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/**
 * What is told where the driver, or its native part, can't be loaded: it is built for one version
 * of Node and one system.
 */
export const driverFailure = (cause: unknown): StorageError => {
  const [why] = (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)
  return new StorageError({
    reason: "Unavailable",
    detail: `SQLite's driver can't be loaded (${why}): install ${PACKAGE} where the program runs, for the Node that runs it; no bundle can hold it (external: ${PACKAGE})`,
    cause
  })
}

/** Whether what was thrown while a file was opened is about the native part of the driver. */
export const isDriverFailure = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (("code" in thrown && thrown.code === "ERR_DLOPEN_FAILED") ||
    thrown.message.startsWith("Could not locate the bindings file"))
