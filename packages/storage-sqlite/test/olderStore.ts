/** Files as the version before this one had them. */
import type { Connection } from "../src/driver/Driver.js"
import { STEPS } from "../src/migrations/steps.js"
import { newUserVersion } from "../src/migrations/version.js"
import { shop } from "../../../test/e2e/firstSchema.js"

/** The schema that the newest step upgrades. */
export const PREVIOUS_SCHEMA = STEPS.length

const [newest] = STEPS.slice(-1)

const columnsOf = (file: Connection, database: "main" | "present", table: string) =>
  file.values<string>("SELECT name FROM pragma_table_info(?, ?)").all(table, database)

const tablesOf = (file: Connection, database: "main" | "present") =>
  file
    .values<string>(
      `SELECT name FROM ${database}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
    )
    .all()

/**
 * Takes a store back to the schema before this version's: makes the tables anew with all steps but
 * the newest, and copies the columns that both schemas have.
 */
export const toPreviousSchema = (file: Connection): void => {
  file.pragma("foreign_keys = OFF")
  file.exec("ATTACH ':memory:' AS present")
  for (const table of tablesOf(file, "main"))
    file.exec(
      `CREATE TABLE present.${table} AS SELECT ${columnsOf(file, "main", table).join(", ")} FROM main.${table};
       DROP TABLE main.${table}`
    )
  file.withWritableSchema(() => {
    file.exec(shop)
    for (const { sql } of STEPS.slice(0, -1)) file.exec(sql)
  })
  for (const table of tablesOf(file, "main")) {
    const present = columnsOf(file, "present", table)
    const columns = columnsOf(file, "main", table)
      .filter((column) => present.includes(column))
      .join(", ")
    if (columns === "") continue
    file.exec(
      `INSERT OR REPLACE INTO main.${table} (${columns}) SELECT ${columns} FROM present.${table}`
    )
  }
  file.exec("DETACH present")
  file.pragma(`user_version = ${newUserVersion(PREVIOUS_SCHEMA)}`)
}

/** Runs the newest step, in the transaction that is open if there is one. */
export const runNewestStep = (file: Connection): void =>
  file.withWritableSchema(() => {
    file.exec(newest?.sql ?? "")
    file.pragma(`user_version = ${newUserVersion(PREVIOUS_SCHEMA + 1)}`)
  })
