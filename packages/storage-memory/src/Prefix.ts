/** The values of an index's `on` columns as one key of a Map. */
import type { Row, Value } from "@petstore/core"

export type Prefix = Value

export const prefixOfValues = (values: ReadonlyArray<Value>): Prefix => {
  const [first = null, ...rest] = values
  return rest.length === 0 ? first : rest.reduce<string>((key, value) => `${key},${part(value)}`, part(first))
}

export const prefixOfRow = (row: Row, on: ReadonlyArray<string>): Prefix => {
  const first = on[0] === undefined ? null : (row[on[0]] ?? null)
  if (on.length < 2) return first
  let key = part(first)
  for (let index = 1; index < on.length; index++) key += `,${part(row[on[index] ?? ""] ?? null)}`
  return key
}

/** Texts carry their length, so that no two different lists of values of the same columns read the same. */
const part = (value: Value): string => (typeof value === "string" ? `${value.length}:${value}` : `${value}`)
