/** The last id that a store has given. */
import type { Connection } from "../driver/Driver.js"
import { FIRST_WITH_LAST_IDS } from "../migrations/version.js"
import { hasTable } from "../schema/hasTable.js"

/** The schemas of both files. */
export type Schemas = { readonly replaced: number; readonly restored: number }

/** `name` is that of the file in SQL, `main` or `restored`. */
type FileName = "main" | "restored"

/** The last id beyond the rows, also of a table that the file does not have yet. */
const notedId = (name: FileName, table: string, schema: number): string =>
  schema < FIRST_WITH_LAST_IDS
    ? `coalesce((SELECT seq FROM ${name}.sqlite_sequence WHERE name = '${table}'), 0)`
    : `coalesce((SELECT id FROM ${name}.last_ids WHERE name = '${table}'), 0)`

export const greatestId = (name: FileName, table: string, schema: number): string =>
  `max(coalesce((SELECT max(id) FROM ${name}.${table}), 0), ${notedId(name, table, schema)})`

/** The same of a table that the file may not have. */
export const greatestIdIn = (
  file: Connection,
  name: FileName,
  table: string,
  schema: number
): number => {
  const id = (hasTable(file, table, name) ? greatestId : notedId)(name, table, schema)
  return file.values<number>(`SELECT ${id}`).get() ?? 0
}
