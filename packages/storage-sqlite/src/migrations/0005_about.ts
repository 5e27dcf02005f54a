/**
 * What is known of the file itself, one value a name: when it was made, last backed up, restored, and
 * brought up to date. From this schema on `user_version` has a session above the schema (version.ts).
 */
export const about = `
CREATE TABLE about (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
