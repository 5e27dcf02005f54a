/**
 * Derives the table of a collection and its indexes, in SQL, from the declaration. Enumerations and
 * booleans are small integers, images are texts, and a folded text is stored only if SQLite can't
 * derive it. References are declared for `PRAGMA foreign_key_check`; SQLite does not enforce them.
 */
import {
  type Collection,
  type Column,
  type Index,
  storedIndexes,
  type Row
} from "@petstore/core/storage"
import { FOLDING, sqlName } from "../base/names.js"
import { indexLayoutOf } from "./IndexLayout.js"

const typeOf = ({ type, values }: Column): string =>
  type === "image" || (type === "text" && values === undefined) ? "TEXT" : "INTEGER"

const referenceTo = (collection: Collection<Row> | undefined): string =>
  collection === undefined ? "" : ` REFERENCES ${sqlName(collection.name)} (id)`

const columnSql = (name: string, column: Column): ReadonlyArray<string> => {
  const { folds, optional, references } = column
  if (folds !== undefined) {
    const derived = `coalesce(${FOLDING}, lower(${sqlName(folds)}))`
    return [`${FOLDING} TEXT`, `${sqlName(name)} TEXT GENERATED ALWAYS AS (${derived}) VIRTUAL`]
  }
  const required = optional === true ? "" : " NOT NULL"
  return [`${sqlName(name)} ${typeOf(column)}${required}${referenceTo(references?.collection)}`]
}

/** One statement for each source of the index that has rows of its own. */
const indexSql = (collection: Collection<Row>, index: Index): ReadonlyArray<string> => {
  const { partitionPosition, partitions } = indexLayoutOf(collection, index)
  const partitionColumn = index.on[partitionPosition]
  const columns = [...index.on, index.sort].filter(
    (column) => column !== "id" && column !== partitionColumn
  )
  const on = `${sqlName(collection.name)} (${columns.map(sqlName).join(", ")})`
  return partitions.flatMap(({ rows }, partition) =>
    rows.map(({ name, condition }) => {
      const partitionCondition =
        partitionColumn === undefined ? [] : [`${sqlName(partitionColumn)} = ${partition}`]
      const conditions = partitionCondition.concat(condition ?? [])
      const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
      return `CREATE INDEX ${name} ON ${on}${where}`
    })
  )
}

/** The statements that create the table and its indexes. */
export const tableSql = (collection: Collection<Row>): ReadonlyArray<string> => {
  const columns = [
    `id INTEGER PRIMARY KEY${referenceTo(collection.idOf)}`,
    "revision INTEGER NOT NULL",
    ...Object.entries(collection.columns).flatMap(([name, column]) => columnSql(name, column))
  ]
  return [
    `CREATE TABLE ${sqlName(collection.name)} (\n  ${columns.join(",\n  ")}\n) STRICT`,
    ...storedIndexes(collection).flatMap((index) => indexSql(collection, index))
  ]
}
