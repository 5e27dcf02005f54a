/**
 * Ids without AUTOINCREMENT, for which SQLite reads and writes a table of its own with each row.
 * What that table knows beyond the rows is noted in `last_ids`: the last id of a collection whose
 * row with the greatest id is gone. Of the collections only the text of their tables changes and no
 * row, by what SQLite's documentation describes for changes that nothing stored depends on
 * (https://www.sqlite.org/lang_altertable.html §7), so that it takes no longer where there are
 * many. Making `last_ids` after it has every connection read the schema anew. Tables of a host's
 * own in the same file stay as they are.
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
