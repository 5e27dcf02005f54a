/**
 * Counts that are updated later than the rows: those of pets and orders include the rows up to an
 * id, which is stored beside them in a row with the name of the table. In files of earlier schemas
 * the counts include all rows. The table is a new one, so that a process of an earlier version that
 * still has the file open can no longer write the counts: it would count each row a second time. It
 * is created rather than renamed, because to rename it SQLite would parse every view of the host.
 */

export const totalsFollow = `
CREATE TABLE kept_totals (
  tally TEXT NOT NULL,
  first INTEGER NOT NULL,
  second INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (tally, first, second)
) STRICT, WITHOUT ROWID;
INSERT INTO kept_totals SELECT * FROM tallies;
DROP TABLE tallies;
${["pets", "orders"]
  .map(
    (table) =>
      `INSERT INTO kept_totals SELECT '${table}', 0, 0,
        coalesce((SELECT max(id) FROM ${table}), 0);`
  )
  .join("\n")}
`
