/**
 * Removes AUTOINCREMENT, for which SQLite reads and writes its own table with each row. `last_ids`
 * stores what cannot be read from the rows: the last id of a collection whose row with the greatest
 * id was deleted. In the tables of the collections only the text of the schema changes, and no row,
 * as SQLite's documentation describes for changes that do not affect stored content
 * (https://www.sqlite.org/lang_altertable.html §7). So the time does not grow with the number of
 * rows. The table `last_ids` is created after that, which makes every connection read the schema
 * again. Tables of the host in the same file do not change.
 */

const TABLES = [
  "categories",
  "pets",
  "orders",
  "accounts",
  "keys",
  "idempotency",
  "deprecated_calls",
  "webhooks",
  "webhook_attempts",
  "changes"
]

const NAMES = TABLES.map((table) => `'${table}'`).join(", ")

export const idsByRows = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' AUTOINCREMENT', '')
  WHERE type = 'table' AND name IN (${NAMES});
PRAGMA writable_schema = RESET;
CREATE TABLE last_ids (
  name TEXT PRIMARY KEY,
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
${TABLES.map(
  (table) => `INSERT INTO last_ids SELECT name, seq FROM sqlite_sequence
  WHERE name = '${table}' AND seq > coalesce((SELECT max(id) FROM ${table}), 0);`
).join("\n")}
DELETE FROM sqlite_sequence WHERE name IN (${NAMES});
`
