/** How the rows of a collection are bound and read: enumerations and booleans as small integers, the rest as it is. */
import type { Collection, Row, Value } from "@petstore/core"
import { sqlName } from "./names.js"

/** What SQLite takes and gives. */
export type Bound = string | number | null

export type RowCodec = {
  /** The columns besides id and revision, in the order of the table. */
  readonly columns: ReadonlyArray<string>
  /** The select list: id, revision, then the columns. */
  readonly selected: string
  /** One column's value as it is stored. A value the column can't have is a defect. */
  readonly stored: (column: string, value: Value) => Bound
  /** One column's value as it is looked for; one that the column can't have is found nowhere. */
  readonly sought: (column: string, value: Value) => Bound
  /** A row, from the values of the select list. */
  readonly row: (values: ReadonlyArray<Bound>) => Row
}

/** Stands for no value of an enumeration: codes count from 0. */
const NO_CODE = -1

export const rowCodec = (collection: Collection<Row>): RowCodec => {
  const described = Object.entries(collection.columns)
  const columns = described.map(([name]) => name)
  const enumerations = described.map(([, { values }]): ReadonlyArray<Value> | undefined => values)
  const codes = new Map<string, ReadonlyMap<Value, number>>()
  for (const [name, { values }] of described) {
    if (values !== undefined) codes.set(name, new Map(values.map((value, code) => [value, code])))
  }
  const sought = (column: string, value: Value): Bound => {
    const known = codes.get(column)
    if (known !== undefined) return value === null ? null : (known.get(value) ?? NO_CODE)
    return typeof value === "boolean" ? Number(value) : value
  }
  return {
    columns,
    selected: ["id", "revision", ...columns.map(sqlName)].join(", "),
    sought,
    stored: (column, value) => {
      const bound = sought(column, value)
      if (bound === NO_CODE && codes.has(column))
        throw new Error(`${collection.name}.${column} can't be ${value}`)
      return bound
    },
    row: (values) => {
      // Always the same members in the same order, so that all rows of a collection have one hidden class.
      const row: { id: number; revision: number; [column: string]: Value } = {
        id: Number(values[0]),
        revision: Number(values[1])
      }
      for (let at = 0; at < columns.length; at++) {
        const value = values[at + 2] ?? null
        const enumeration = enumerations[at]
        row[columns[at] ?? ""] =
          enumeration === undefined || value === null ? value : (enumeration[Number(value)] ?? null)
      }
      return row
    }
  }
}
