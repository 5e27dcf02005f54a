/** Derives checks from the declarations of the collections. */
import { LATEST_INSTANT_MS } from "@petstore/core"
import { readInstant } from "@petstore/core/adapter"
import type { Collection, Column, Row } from "@petstore/core/storage"
import { indexName, sqlName } from "../base/names.js"
import { countsInBatches } from "../schema/schemaSql.js"

type Collections = ReadonlyArray<Collection<Row>>

/** An empty result in place of the actual counts, if no collection declares counts. */
const NO_COUNTS = "SELECT NULL AS tally, 0 AS first, 0 AS second, 0 AS rows WHERE FALSE"

const unionOf = (queries: ReadonlyArray<string>, none = "SELECT NULL WHERE FALSE"): string =>
  queries.length === 0 ? none : queries.join(" UNION ALL ")

const EARLIEST_MS = readInstant("0000-01-01T00:00:00Z") ?? 0

/** The id up to which the stored counts include the rows of a table. */
const countedToSql = (table: string): string =>
  `(SELECT count FROM kept_totals WHERE tally = '${table}')`

/** The counts that a collection should have. */
const actualCountsSql = (collection: Collection<Row>): ReadonlyArray<string> =>
  (collection.counts ?? []).map(({ name, on }) => {
    const table = sqlName(collection.name)
    const [first, second = "0"] = on.map(sqlName)
    const where = countsInBatches(collection) ? ` WHERE id <= ${countedToSql(table)}` : ""
    return `SELECT '${indexName(collection.name, name)}' AS tally, ${first} AS first,
        ${second} AS second, count(*) AS rows
      FROM ${table}${where} GROUP BY 2, 3`
  })

/**
 * Finds stored counts that differ from the actual ones, and counts up to an id that was never
 * assigned, so that rows with smaller ids would never be counted.
 */
export const countsSql = (collections: Collections): string => {
  const tables = collections.filter(countsInBatches).map(({ name }) => sqlName(name))
  const markNames = tables.map((table) => `'${table}'`).join(", ")
  const wrongMarks = tables.map(
    (table) => `SELECT '${table}: ' || coalesce('rows are counted up to id ' || count
      || ', which was never assigned', 'the id up to which rows are counted is missing') FROM (
      SELECT ${countedToSql(table)} AS count,
        max(coalesce((SELECT max(id) FROM ${table}), 0),
          coalesce((SELECT id FROM last_ids WHERE name = '${table}'), 0)) AS last)
    WHERE count IS NULL OR count > last`
  )
  const wrongCounts = `SELECT coalesce(kept.tally, counted.tally) || ': the stored count is '
    || coalesce(count, 0) || ', the actual count is ' || coalesce(rows, 0)
    FROM (SELECT * FROM kept_totals WHERE tally NOT IN (${markNames})) AS kept
      FULL JOIN (${unionOf(collections.flatMap(actualCountsSql), NO_COUNTS)}) AS counted
        USING (tally, first, second)
    WHERE coalesce(count, 0) <> coalesce(rows, 0)`
  return unionOf([wrongCounts, ...wrongMarks])
}

/** Finds folded texts that differ from `fold` of their column. */
export const foldedSql = (collections: Collections): string =>
  unionOf(
    collections.flatMap(({ name, columns }) =>
      Object.entries(columns).flatMap(([column, { folds }]) =>
        folds === undefined
          ? []
          : [
              `SELECT '${name} ' || id || ': ${column} does not match ${folds}'
                FROM ${sqlName(name)}
        WHERE ${sqlName(column)} <> fold(${sqlName(folds)})`
            ]
      )
    )
  )

/** Finds tables whose next id would be one that a row has already. */
export const idsSql = (collections: Collections): string =>
  unionOf(
    collections
      .filter(({ key }) => key === "assigned")
      .map(({ name }) => {
        const table = sqlName(name)
        return `SELECT '${name}: the next id would be one that a row has already' FROM last_ids
        WHERE name = '${table}' AND id <= (SELECT max(id) FROM ${table})`
      })
  )

/** Finds rows with a wrong value in a column, by a condition that is not true of null. */
export const wrongValue = (
  collection: string,
  column: string,
  condition: string,
  shown = sqlName(column)
): string =>
  `SELECT '${collection} ' || id || ': ${column} is ' || ${shown} FROM ${sqlName(collection)}
    WHERE ${condition}`

export const outOfRange = (column: string, least: number, most: number): string =>
  `${sqlName(column)} NOT BETWEEN ${least} AND ${most}`

const ofColumn = (
  name: string,
  column: string,
  { instant, values }: Column
): ReadonlyArray<string> => {
  if (values !== undefined)
    return [wrongValue(name, column, outOfRange(column, 0, values.length - 1))]
  return instant === true
    ? [wrongValue(name, column, outOfRange(column, EARLIEST_MS, LATEST_INSTANT_MS))]
    : []
}

/** Finds values of enumerations, revisions and instants that are out of range. */
export const valuesSql = (collections: Collections): string =>
  collections
    .flatMap(({ name, columns }) => [
      wrongValue(name, "revision", outOfRange("revision", 1, Number.MAX_SAFE_INTEGER)),
      ...Object.entries(columns).flatMap(([column, declared]) => ofColumn(name, column, declared))
    ])
    .join(" UNION ALL ")
