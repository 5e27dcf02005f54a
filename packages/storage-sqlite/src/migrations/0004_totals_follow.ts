/**
 * Totals that follow: those of pets and of orders count the rows up to an id, which stands beside them in a row that is named after the table. Files of
 * earlier schemas have counted all rows. The table has another name, so that a process of an earlier version that still has the file open can't
 * write what they count any more: it would count each row a second time.
 */

export const totalsFollow = `
ALTER TABLE tallies RENAME TO totals;
${["pets", "orders"]
  .map((table) => `INSERT INTO totals SELECT '${table}', 0, 0, coalesce((SELECT max(id) FROM ${table}), 0);`)
  .join("\n")}
`
