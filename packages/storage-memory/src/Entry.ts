/**
 * What stands in an ordered list: a row's sort key and its id. Null sorts before every key, integers by size, false
 * before true, texts by code point; equal keys by id.
 */
import { codePointKey, type Value } from "@petstore/core"

export type Entry = {
  /** A number that decides most comparisons; see {@link head}. In a list sorted by id, the id. */
  readonly head: number
  /** The value as it is compared; null in a list that is sorted by id. */
  readonly key: Value
  readonly id: number
}

/** The entry of a row in a list sorted by a column that has this value; by id, the value is the id itself. */
export const entryOf = (sort: string, value: Value, id: number): Entry => {
  if (sort === "id") return { head: id, key: null, id }
  const key = typeof value === "string" ? codePointKey(value) : value
  return { head: head(key), key, id }
}

/** Negative, zero or positive as an entry stands before, at or behind another. */
export const compareEntries = (entry: Entry, other: Entry): number =>
  entry.head === other.head
    ? compareKeys(entry.key, entry.id, other.key, other.id)
    : entry.head < other.head
      ? -1
      : 1

export const compareKeys = (key: Value, id: number, otherKey: Value, otherId: number): number => {
  if (key === otherKey) return id - otherId
  if (key === null) return -1
  if (otherKey === null) return 1
  return key < otherKey ? -1 : 1
}

const HEAD_LENGTH = 7

/**
 * A number that is never greater for a smaller key: comparing numbers that lie side by side is several times faster
 * than comparing texts that lie all over the memory. Of a text, it has the first characters in seven bits each, of which
 * the last value stands for everything that is not ASCII.
 */
const head = (key: Value): number => {
  if (typeof key !== "string") return key === null ? Number.NEGATIVE_INFINITY : Number(key)
  let number = 0
  for (let at = 0; at < HEAD_LENGTH; at++) {
    const unit = at < key.length ? key.charCodeAt(at) : 0
    number = number * 0x80 + Math.min(unit, 0x7f)
    if (unit >= 0x7f) return number * 0x80 ** (HEAD_LENGTH - 1 - at)
  }
  return number
}
