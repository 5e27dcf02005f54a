/** The last id that a store has given, as an expression in SQL. */

/** The schemas of both files. */
export type Schemas = { readonly replaced: number; readonly restored: number }

/**
 * From this schema on the last ids are noted in `last_ids`; before, SQLite kept them for itself.
 */
export const FIRST_WITH_LAST_IDS = 3

/** `name` is that of the file in SQL, `main` or `restored`. */
export const greatestId = (name: "main" | "restored", table: string, schema: number): string => {
  const noted =
    schema < FIRST_WITH_LAST_IDS
      ? `SELECT seq FROM ${name}.sqlite_sequence WHERE name = '${table}'`
      : `SELECT id FROM ${name}.last_ids WHERE name = '${table}'`
  return `max(coalesce((SELECT max(id) FROM ${name}.${table}), 0), coalesce((${noted}), 0))`
}
