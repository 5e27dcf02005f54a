/**
 * Adds two things. The table `about` has facts about the file itself, one value per name: when it
 * was created, last backed up, restored and upgraded. The new columns of `usage` have what each
 * caller used in other minutes and days than the last counted ones, by their labels (Ledger.ts in
 * core), because a clock that is set back may return to them. From this schema on `user_version`
 * has the number of the session in the bits above the schema (version.ts).
 */
export const aboutAndWindows = `
CREATE TABLE about (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE usage ADD COLUMN other_minutes TEXT;
ALTER TABLE usage ADD COLUMN other_days TEXT;
`
