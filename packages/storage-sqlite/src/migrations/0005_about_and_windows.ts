/**
 * Two things are new. `about` has what is known of the file itself, one value a name: when it was
 * made, last backed up, restored, and brought up to date. And `usage` has what each caller has used
 * of other minutes and days than those that were counted in last, by their labels (Ledger.ts in
 * core): a clock that is set may come to them once more. From this schema on `user_version` has a
 * session above the schema (version.ts).
 */
export const aboutAndWindows = `
CREATE TABLE about (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE usage ADD COLUMN other_minutes TEXT;
ALTER TABLE usage ADD COLUMN other_days TEXT;
`
