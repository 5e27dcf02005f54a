/** The order of index entries: null before every value, integers by size, false before true, texts by code point. */
import { codePointKey, type Value } from "@petstore/core"

/** The value as it is compared. Texts become texts whose native order is their code-point order. */
export const sortKey = (value: Value): Value => (typeof value === "string" ? codePointKey(value) : value)

/** Negative, zero or positive as the entry (key, id) stands before, at or behind the entry (otherKey, otherId). */
export const compareEntries = (key: Value, id: number, otherKey: Value, otherId: number): number => {
  if (key === otherKey) return id - otherId
  if (key === null) return -1
  if (otherKey === null) return 1
  return key < otherKey ? -1 : 1
}
