/** The values of an index's `on` columns as one key of a Map. */
import { type Collection, type Row, type Value, valueOf } from "@petstore/core"

export type Prefix = Value

/** Makes the keys of one combination of columns. The same values give the same key, other values another. */
export type Prefixes = {
  readonly ofRow: (row: Row) => Prefix
  readonly ofValues: (values: ReadonlyArray<Value>) => Prefix
}

/** Up to here an integer times the few values of another column is exact. */
const LARGEST_FACTOR = 2 ** 48

export const prefixesOn = (collection: Collection<Row>, on: ReadonlyArray<string>): Prefixes => {
  const [first = "", second = ""] = on
  if (on.length === 0) return { ofRow: () => null, ofValues: () => null }
  if (on.length === 1) {
    return { ofRow: (row) => valueOf(row, first), ofValues: ([value = null]) => value }
  }
  const values: ReadonlyArray<Value> | undefined = collection.columns[second]?.values
  if (on.length === 2 && values !== undefined) {
    const pair = (one: Value, other: Value): Prefix =>
      numbered(one, values.indexOf(other), values.length) ?? spelled([one, other])
    return {
      ofRow: (row) => pair(valueOf(row, first), valueOf(row, second)),
      ofValues: ([one = null, other = null]) => pair(one, other)
    }
  }
  return { ofRow: (row) => spelled(on.map((column) => valueOf(row, column))), ofValues: spelled }
}

/** An id and one of a few values as one number, which a Map finds without spelling anything; undefined for anything else. */
const numbered = (one: Value, code: number, codes: number): number | undefined =>
  typeof one === "number" && code >= 0 && one >= 0 && one < LARGEST_FACTOR ? one * codes + code : undefined

const spelled = (values: ReadonlyArray<Value>): string => values.map(part).join()

/** Texts carry their length, so that no two different lists of values of the same columns read the same. */
const part = (value: Value): string => (typeof value === "string" ? `${value.length}:${value}` : `${value}`)
