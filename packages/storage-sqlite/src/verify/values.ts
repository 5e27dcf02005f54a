/** Values that no record can have: of enumerations, of counts, of names, and instants that can't be written. */
import {
  COLLECTIONS,
  type Collection,
  LATEST_INSTANT_MS,
  MAX_QUANTITY,
  readInstant,
  type Row
} from "@petstore/core"
import { sqlName } from "../base/names.js"

const EARLIEST_MS = readInstant("0000-01-01T00:00:00Z") ?? 0

const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS

/** The rows in which a column is not as it shall be; null is left to the column. */
const wrong = (collection: string, column: string, condition: string, shown = sqlName(column)): string =>
  `SELECT '${collection} ' || id || ': ${column} is ' || ${shown} FROM ${sqlName(collection)} WHERE ${condition}`

const outside = (column: string, least: number, most: number): string =>
  `${sqlName(column)} NOT BETWEEN ${least} AND ${most}`

const ofColumn = (
  name: string,
  column: string,
  values: ReadonlyArray<unknown> | undefined
): ReadonlyArray<string> => {
  if (values !== undefined) return [wrong(name, column, outside(column, 0, values.length - 1))]
  return column.endsWith("Ms") ? [wrong(name, column, outside(column, EARLIEST_MS, LATEST_INSTANT_MS))] : []
}

const ofCollection = ({ name, columns }: Collection<Row>): ReadonlyArray<string> => [
  wrong(name, "revision", outside("revision", 1, Number.MAX_SAFE_INTEGER)),
  ...Object.entries(columns).flatMap(([column, { values }]) => ofColumn(name, column, values))
]

/** SPEC.md §2, with the bounds of its records: names have 1 to 200 code points, descriptions at most 2,000. */
const OF_RECORDS: ReadonlyArray<string> = [
  wrong("orders", "quantity", outside("quantity", 1, MAX_QUANTITY)),
  ...["pets", "categories"].map((name) =>
    wrong(name, "name", "length(name) NOT BETWEEN 1 AND 200", "length(name) || ' characters long'")
  ),
  wrong(
    "categories",
    "description",
    "length(description) > 2000",
    "length(description) || ' characters long'"
  )
]

/** One query for all of them. */
export const VALUES = [...collections.flatMap(ofCollection), ...OF_RECORDS].join(" UNION ALL ")
