/**
 * What stands in an ordered list: a row's sort key and its id. Null sorts before every key, integers by size, false
 * before true, texts by code point; equal keys by id.
 */
import { codePointKey, type Row, type Value, valueOf } from "@petstore/core"

export type Entry = {
  /** What decides most comparisons: a list is numbers that lie side by side, where nobody has to follow texts all over the memory. */
  readonly head: number
  /** Decides where the heads are the same. */
  readonly tail: number
  /** The text as it is compared, where numbers can't tell it from every other. */
  readonly key: string | null
  readonly id: number
}

/** The stored row of an id, where numbers don't decide. */
export type RowOf = (id: number) => Row

/** The entry of a row in a list sorted by a column that has this value; by id, the value is the id itself. */
export const entryOf = (sort: string, value: Value, id: number): Entry => {
  if (sort === "id") return { head: id, tail: 0, key: null, id }
  const head = headOf(value)
  const tail = tailOf(value, head)
  return { head, tail, key: isWhole(tail) ? null : keyOf(value), id }
}

/** The entry of one row after the other in lists sorted by one column. Who keeps it copies it. */
export class RowEntry implements Entry {
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
    this.key = isWhole(this.tail) ? null : keyOf(value)
  }
}

const headOf = (value: Value): number =>
  typeof value === "string" ? digits(value, 0, 0) : value === null ? Number.NEGATIVE_INFINITY : Number(value)

const tailOf = (value: Value, head: number): number =>
  typeof value === "string" ? digits(value, DIGITS, lastDigit(head)) : 0

/** Negative, zero or positive as an entry stands before, at or behind another. */
export const compareEntries = (entry: Entry, other: Entry): number =>
  entry.head !== other.head
    ? entry.head < other.head
      ? -1
      : 1
    : entry.tail !== other.tail
      ? entry.tail < other.tail
        ? -1
        : 1
      : compareTied(entry.key, entry.id, other.key, other.id)

/** What decides between two entries with the same head and the same tail: their texts, unless those are the same too, then their ids. */
export const compareTied = (key: string | null, id: number, otherKey: string | null, otherId: number) =>
  compareTexts(key, otherKey) || id - otherId

/** A text as it is compared. */
export const keyOf = (value: Value): string | null => (typeof value === "string" ? codePointKey(value) : null)

const compareTexts = (text: string | null, other: string | null): number =>
  text === other || text === null || other === null ? 0 : text < other ? -1 : 1

/** So many characters make a number; with one more it would not be exact. */
const DIGITS = 7
const BITS = 7
const BASE = 2 ** BITS
const HIGH_DIGITS = 4
const BEYOND = BASE - 1

/**
 * The characters from there on as the digits of a number, which is never greater for a text that sorts before: 0 where the text is over, and
 * {@link BEYOND} for everything but ASCII and for all that follows it. `last` is the digit before.
 */
const digits = (text: string, from: number, last: number): number => {
  let digit = last
  let high = 0
  let low = 0
  // Whole numbers of 32 bits are the quicker to shift; all seven digits are too many for one of them.
  for (let at = from; at < from + DIGITS; at++) {
    if (digit !== BEYOND) digit = at < text.length ? Math.min(text.charCodeAt(at) + 1, BEYOND) : 0
    if (at < from + HIGH_DIGITS) high = (high << BITS) | digit
    else low = (low << BITS) | digit
  }
  return high * 2 ** (BITS * (DIGITS - HIGH_DIGITS)) + low
}

/** Whether all of the text is in its digits: up to 13 characters of ASCII are. */
export const isWhole = (tail: number): boolean => lastDigit(tail) === 0

/** What `%` gives as well, at many times the price where the number is large. */
const lastDigit = (number: number): number => number - Math.floor(number / BASE) * BASE
