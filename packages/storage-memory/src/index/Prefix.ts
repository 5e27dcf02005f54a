/** The values of an index's `on` columns, as one key of a Map. */
import { type Collection, type Row, type Value, valueOf } from "@petstore/core/storage"

export type Prefix = Value

/**
 * Makes prefixes for some columns. Equal values give equal prefixes, and different values different
 * ones.
 */
export type Prefixes = {
  readonly ofRow: (row: Row) => Prefix
  readonly ofValues: (values: ReadonlyArray<Value>) => Prefix
}

/** Below this bound, an integer times the number of values of an enumeration is exact. */
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
      asNumber(one, values.indexOf(other), values.length) ?? asString([one, other])
    return {
      ofRow: (row) => pair(valueOf(row, first), valueOf(row, second)),
      ofValues: ([one = null, other = null]) => pair(one, other)
    }
  }
  return { ofRow: (row) => asString(on.map((column) => valueOf(row, column))), ofValues: asString }
}

/** An id and a value of an enumeration as one number, which a Map finds faster; else undefined. */
const asNumber = (one: Value, code: number, codes: number): number | undefined =>
  typeof one === "number" && code >= 0 && one >= 0 && one < LARGEST_FACTOR
    ? one * codes + code
    : undefined

const asString = (values: ReadonlyArray<Value>): string => values.map(part).join()

/** Strings are preceded by their length, so that different values never give the same prefix. */
const part = (value: Value): string =>
  typeof value === "string" ? `${value.length}:${value}` : `${value}`
