/** Chooses the driver that opens a file. */
import { StorageError } from "@petstore/core"
import { betterSqlite3 } from "./betterSqlite3.js"
import { type Driver, type DriverName, DRIVERS } from "./Driver.js"
import { nodeSqlite } from "./nodeSqlite.js"

const refuse = (detail: string): never => {
  throw new StorageError({ reason: "Unavailable", detail })
}

const isDriverName = (name: string): name is DriverName => DRIVERS.some((known) => known === name)

/**
 * The driver of this name, by default that of the environment variable `PETSTORE_DRIVER`. Without
 * either, `node` if the runtime has it, else `better-sqlite3`. Throws `Unavailable` if there is no
 * such driver or it can't be used.
 */
export const driverOf = (name?: string): Driver => {
  const asked = name ?? (process.env["PETSTORE_DRIVER"] || undefined)
  if (asked === undefined) return nodeSqlite() ?? betterSqlite3()
  if (!isDriverName(asked))
    return refuse(
      `there is no driver "${asked}" (option driver, PETSTORE_DRIVER): name ` +
        `${DRIVERS.map((each) => `"${each}"`).join(" or ")}, or none`
    )
  if (asked === "better-sqlite3") return betterSqlite3()
  return (
    nodeSqlite() ??
    refuse(
      `Node ${process.versions.node} has no node:sqlite that can be used: use Node 22.16 or ` +
        'later, or the driver "better-sqlite3"'
    )
  )
}
