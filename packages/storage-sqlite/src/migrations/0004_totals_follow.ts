/**
 * CollectionCounts that follow: those of pets and of orders count the rows up to an id, which
 * stands beside them in a row that is named after the table. Files of earlier schemas have counted
 * all rows. The table is another one, so that a process of an earlier version that still has the
 * file open can't write what they count any more: it would count each row a second time. It is made
 * anew rather than renamed, for which SQLite would look into every view of a host's own.
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
