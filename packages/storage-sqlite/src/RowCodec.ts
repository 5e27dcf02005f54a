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
  /** One column's value, as bound. */
  readonly bind: (column: string, value: Value) => Bound
  /** A row, from the values of the select list. */
  readonly row: (values: ReadonlyArray<Bound>) => Row
}

type Decode = (value: Bound) => Value

const same: Decode = (value) => value

const decoderOf = (values: ReadonlyArray<Value>): Decode => (value) => (value === null ? null : (values[Number(value)] ?? null))

export const rowCodec = (collection: Collection<Row>): RowCodec => {
  const described = Object.entries(collection.columns)
  const columns = described.map(([name]) => name)
  const decoders = described.map(([, { values }]) => (values === undefined ? same : decoderOf(values)))
  const codes = new Map<string, ReadonlyMap<Value, number>>()
  for (const [name, { values }] of described) {
    if (values !== undefined) codes.set(name, new Map(values.map((value, code) => [value, code])))
  }
  return {
    columns,
    selected: ["id", "revision", ...columns.map(sqlName)].join(", "),
    bind: (column, value) => {
      const known = codes.get(column)
      if (known !== undefined) return value === null ? null : (known.get(value) ?? -1)
      return typeof value === "boolean" ? Number(value) : value
    },
    row: (values) => {
      const row: Record<string, Value> = { id: values[0] ?? null, revision: values[1] ?? null }
      for (let at = 0; at < columns.length; at++) {
        row[columns[at] ?? ""] = decoders[at]?.(values[at + 2] ?? null) ?? null
      }
      return row as Row
    }
  }
}
