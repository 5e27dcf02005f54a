/** The schema of a new file in SQL: the tables of its collections and those of the storage. */
import type { Collection, Row } from "@petstore/core/storage"
import { sqlName } from "../base/names.js"
import { tableSql } from "./tableSql.js"

/**
 * - `usage`: the records of the port `Usage`, one row for each caller.
 * - `kept_totals`: the counts of collections by values. The row whose `tally` is the name of a
 *   table has the id up to which its rows are counted.
 * - `last_ids`: the last id of each collection whose row with the greatest id was deleted.
 * - `about`: facts about the file itself by name, such as when it was created.
 */
const STORAGE_TABLES: ReadonlyArray<string> = [
  `CREATE TABLE usage (
  caller TEXT PRIMARY KEY,
  minute_start_ms INTEGER NOT NULL,
  minute_used INTEGER NOT NULL,
  day_start_ms INTEGER NOT NULL,
  day_used INTEGER NOT NULL,
  retry_at_ms INTEGER NOT NULL,
  refused_at_ms INTEGER NOT NULL,
  strikes_ms TEXT NOT NULL,
  banned_until_ms INTEGER NOT NULL,
  bans INTEGER NOT NULL,
  last_ban_ms INTEGER NOT NULL,
  other_minutes TEXT,
  other_days TEXT
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE kept_totals (
  tally TEXT NOT NULL,
  first INTEGER NOT NULL,
  second INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (tally, first, second)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE last_ids (
  name TEXT PRIMARY KEY,
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE about (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID`
]

/** Whether the stored counts include the rows up to an id only: see `CollectionCounts`. */
export const countsInBatches = ({ counts, key }: Collection<Row>): boolean =>
  counts !== undefined && key === "assigned"

/** All statements, in the order in which they run. */
export const schemaSql = (collections: ReadonlyArray<Collection<Row>>): string =>
  [
    ...collections.flatMap(tableSql),
    ...STORAGE_TABLES,
    ...collections
      .filter(countsInBatches)
      .map(({ name }) => `INSERT INTO kept_totals VALUES ('${sqlName(name)}', 0, 0, 0)`)
  ].join(";\n")
