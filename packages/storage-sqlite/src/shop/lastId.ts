/** The last id that a store has assigned in a table. */
import type { Connection } from "../driver/Driver.js"
import { FIRST_WITH_LAST_IDS } from "../migrations/version.js"
import { hasTable } from "../schema/hasTable.js"

/** The schemas of both files. */
export type Schemas = { readonly replaced: number; readonly restored: number }

/** `name` is that of the file in SQL, `main` or `restored`. */
type FileName = "main" | "restored"

/** The stored last id, if the row with it was deleted; the file may not have the table yet. */
const storedLastId = (name: FileName, table: string, schema: number): string =>
  schema < FIRST_WITH_LAST_IDS
    ? `coalesce((SELECT seq FROM ${name}.sqlite_sequence WHERE name = '${table}'), 0)`
    : `coalesce((SELECT id FROM ${name}.last_ids WHERE name = '${table}'), 0)`

export const lastIdSql = (name: FileName, table: string, schema: number): string =>
  `max(coalesce((SELECT max(id) FROM ${name}.${table}), 0), ${storedLastId(name, table, schema)})`

/** The last id in a table that the file may not have. */
export const lastIdIn = (
  file: Connection,
  name: FileName,
  table: string,
  schema: number
): number => {
  const id = (hasTable(file, table, name) ? lastIdSql : storedLastId)(name, table, schema)
  return file.values<number>(`SELECT ${id}`).get() ?? 0
}
