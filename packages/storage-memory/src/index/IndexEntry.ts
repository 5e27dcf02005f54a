/**
 * An entry of a sorted index: a row's sort key and its id. Null sorts before every key, integers by
 * value, false before true, strings by code point, and equal keys by id.
 *
 * The start of a string is encoded in two numbers, so that an index is numbers side by side and
 * most comparisons follow no reference to a string.
 */
import { codePointKey, type Row, type Value, valueOf } from "@petstore/core/storage"

export type IndexEntry = {
  /** Decides most comparisons: the number, or the first 7 characters of the string. */
  readonly head: number
  /** The next 7 characters of the string. */
  readonly tail: number
  /** The whole string as it is compared; null if head and tail already encode all of it. */
  readonly key: string | null
  readonly id: number
}

/** The stored row of an id: its string decides where head and tail are equal. */
export type RowOf = (id: number) => Row

/**
 * The entry of a row in an index sorted by a column with this value. By id, the value is the id.
 */
export const entryOf = (sort: string, value: Value, id: number): IndexEntry => {
  if (sort === "id") return { head: id, tail: 0, key: null, id }
  const head = headOf(value)
  const tail = tailOf(value, head)
  return { head, tail, key: isComplete(tail) ? null : keyOf(value), id }
}

/**
 * An entry that is refilled for each row, so that indexing a row allocates nothing. Copy it to keep
 * it.
 */
export class MutableEntry implements IndexEntry {
  readonly #sort: string
  head = 0.5
  tail = 0.5
  key: string | null = null
  id = 0

  constructor(sort: string) {
    this.#sort = sort
  }

  fill(row: Row): void {
    this.id = row.id
    const value = valueOf(row, this.#sort)
    this.head = headOf(value)
    this.tail = tailOf(value, this.head)
    this.key = isComplete(this.tail) ? null : keyOf(value)
  }
}

const headOf = (value: Value): number =>
  typeof value === "string"
    ? digits(value, 0, 0)
    : value === null
      ? Number.NEGATIVE_INFINITY
      : Number(value)

const tailOf = (value: Value, head: number): number =>
  typeof value === "string" ? digits(value, DIGITS, lastDigit(head)) : 0

/** Negative, zero or positive as the entry comes before, is at or comes after the other. */
export const compareEntries = (entry: IndexEntry, other: IndexEntry): number =>
  entry.head !== other.head
    ? entry.head < other.head
      ? -1
      : 1
    : entry.tail !== other.tail
      ? entry.tail < other.tail
        ? -1
        : 1
      : compareTied(entry.key, entry.id, other.key, other.id)

/** Compares entries with equal head and tail: by string, then by id. */
export const compareTied = (
  key: string | null,
  id: number,
  otherKey: string | null,
  otherId: number
): number => compareStrings(key, otherKey) || id - otherId

/** The form of a string for comparisons; null for other values. */
export const keyOf = (value: Value): string | null =>
  typeof value === "string" ? codePointKey(value) : null

const compareStrings = (string: string | null, other: string | null): number =>
  string === other || string === null || other === null ? 0 : string < other ? -1 : 1

/**
 * Characters per number: 7 of 7 bits each are 49 bits, and one more would not fit the 53 of a
 * double.
 */
const DIGITS = 7
const BITS = 7
const BASE = 2 ** BITS
const HIGH_DIGITS = 4
const BEYOND = BASE - 1

/**
 * Encodes {@link DIGITS} characters as the digits of a number, which is never greater for a string
 * that sorts first. The digit is 0 after the end of the string, and {@link BEYOND} from the first
 * character on that is not ASCII. `last` is the digit of the character before `from`.
 */
const digits = (string: string, from: number, last: number): number => {
  let digit = last
  let high = 0
  let low = 0
  // Shifts are fast on 32-bit integers, and seven digits take two of those.
  for (let at = from; at < from + DIGITS; at++) {
    if (digit !== BEYOND)
      digit = at < string.length ? Math.min(string.charCodeAt(at) + 1, BEYOND) : 0
    if (at < from + HIGH_DIGITS) high = (high << BITS) | digit
    else low = (low << BITS) | digit
  }
  return high * 2 ** (BITS * (DIGITS - HIGH_DIGITS)) + low
}

/** Whether head and tail encode all of the string: up to 13 characters of ASCII. */
export const isComplete = (tail: number): boolean => lastDigit(tail) === 0

/** The same as `%`, which takes many times as long for large numbers. */
const lastDigit = (number: number): number => number - Math.floor(number / BASE) * BASE
