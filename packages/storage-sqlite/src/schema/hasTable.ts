/** Whether a file has a table: an earlier schema does not have those of newer record types. */
import type { Connection } from "../driver/Driver.js"

/** `database` is the name of the file in SQL. */
export const hasTable = (file: Connection, table: string, database = "main"): boolean =>
  file
    .values(`SELECT 1 FROM ${database}.sqlite_schema WHERE type = 'table' AND name = ?`)
    .get(table) !== undefined
