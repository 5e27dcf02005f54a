/** Checks that follow from the declarations of the collections. */
import { LATEST_INSTANT_MS } from "@petstore/core"
import { readInstant } from "@petstore/core/adapter"
import type { Collection, Row } from "@petstore/core/storage"
import { indexName, sqlName } from "../base/names.js"
import { countsInBatches } from "../schema/schemaSql.js"

type Collections = ReadonlyArray<Collection<Row>>

/** What takes the place of the counted rows where no collection declares counts. */
const NO_COUNTS = "SELECT NULL AS tally, 0 AS first, 0 AS second, 0 AS rows WHERE FALSE"

const unionOf = (queries: ReadonlyArray<string>, none = "SELECT NULL WHERE FALSE"): string =>
  queries.length === 0 ? none : queries.join(" UNION ALL ")

const EARLIEST_MS = readInstant("0000-01-01T00:00:00Z") ?? 0

/** The id up to which the rows of a table are counted: in a row of the counts, named after it. */
const countedTo = (table: string): string =>
  `(SELECT count FROM kept_totals WHERE tally = '${table}')`

/** The numbers that the counts of a collection should have. */
const countedIn = (collection: Collection<Row>): ReadonlyArray<string> =>
  (collection.counts ?? []).map(({ name, on }) => {
    const table = sqlName(collection.name)
    const [first, second = "0"] = on.map(sqlName)
    const where = countsInBatches(collection) ? ` WHERE id <= ${countedTo(table)}` : ""
    return `SELECT '${indexName(collection.name, name)}' AS tally, ${first} AS first,
        ${second} AS second, count(*) AS rows
      FROM ${table}${where} GROUP BY 2, 3`
  })

/**
 * Counts that differ from the rows, and those up to an id that was not given yet: rows that are new
 * are counted once the counts catch up with their ids.
 */
export const countsSql = (collections: Collections): string => {
  const tables = collections.filter(countsInBatches).map(({ name }) => sqlName(name))
  const marks = tables.map((table) => `'${table}'`).join(", ")
  const beyond = tables.map(
    (table) => `SELECT '${table}: counted up to ' || coalesce(count, 'no')
      || ', which there is no row of yet' FROM (
      SELECT ${countedTo(table)} AS count,
        max(coalesce((SELECT max(id) FROM ${table}), 0),
          coalesce((SELECT id FROM last_ids WHERE name = '${table}'), 0)) AS last)
    WHERE count IS NULL OR count > last`
  )
  const differing = `SELECT coalesce(kept.tally, counted.tally) || ': ' || coalesce(count, 0)
    || ' told, ' || coalesce(rows, 0) || ' there'
    FROM (SELECT * FROM kept_totals WHERE tally NOT IN (${marks})) AS kept
      FULL JOIN (${unionOf(collections.flatMap(countedIn), NO_COUNTS)}) AS counted
        USING (tally, first, second)
    WHERE coalesce(count, 0) <> coalesce(rows, 0)`
  return unionOf([differing, ...beyond])
}

/** Folded texts that are not the folded form of their column. Uses the SQL function `fold`. */
export const foldedSql = (collections: Collections): string =>
  unionOf(
    collections.flatMap(({ name, columns }) =>
      Object.entries(columns).flatMap(([column, { folds }]) =>
        folds === undefined
          ? []
          : [
              `SELECT '${name} ' || id || ': is found by another ${folds} than it has'
                FROM ${sqlName(name)}
        WHERE ${sqlName(column)} <> fold(${sqlName(folds)})`
            ]
      )
    )
  )

/** Rows whose id would be given to another row. */
export const idsSql = (collections: Collections): string =>
  unionOf(
    collections
      .filter(({ key }) => key === "assigned")
      .map(({ name }) => {
        const table = sqlName(name)
        return `SELECT '${name}: the next id would be one that was given before' FROM last_ids
        WHERE name = '${table}' AND id <= (SELECT max(id) FROM ${table})`
      })
  )

/** The rows that have a wrong value in a column, by a condition; null is left to the column. */
export const wrongValue = (
  collection: string,
  column: string,
  condition: string,
  shown = sqlName(column)
): string =>
  `SELECT '${collection} ' || id || ': ${column} is ' || ${shown} FROM ${sqlName(collection)}
    WHERE ${condition}`

export const outside = (column: string, least: number, most: number): string =>
  `${sqlName(column)} NOT BETWEEN ${least} AND ${most}`

const ofColumn = (
  name: string,
  column: string,
  values: ReadonlyArray<unknown> | undefined
): ReadonlyArray<string> => {
  if (values !== undefined) return [wrongValue(name, column, outside(column, 0, values.length - 1))]
  return column.endsWith("Ms")
    ? [wrongValue(name, column, outside(column, EARLIEST_MS, LATEST_INSTANT_MS))]
    : []
}

/** Values of enumerations, revisions and instants that no row can have. */
export const valuesSql = (collections: Collections): string =>
  collections
    .flatMap(({ name, columns }) => [
      wrongValue(name, "revision", outside("revision", 1, Number.MAX_SAFE_INTEGER)),
      ...Object.entries(columns).flatMap(([column, { values }]) => ofColumn(name, column, values))
    ])
    .join(" UNION ALL ")
