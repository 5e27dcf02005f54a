/**
 * Parses JSON (RFC 8259) in one pass. Unlike `JSON.parse` it refuses duplicate members and deep
 * nesting, keeps `__proto__` as data, and distinguishes numbers that JavaScript can't:
 *
 * - an integer within ±(2^53 − 1) is exact; one beyond, within int64, is rounded, so it is not a
 *   safe integer;
 * - an integer beyond int64 is infinite;
 * - a whole number that is not written in plain digits (`1e3`, `1.0`) is NaN: ids and quantities
 *   are plain digits only.
 */
import { echo } from "@petstore/core/adapter"
import * as Either from "effect/Either"
import { bigInteger } from "./bigInteger.js"

/** The deepest nesting of arrays and objects. Records need one level. */
export const MAX_DEPTH = 32

/** The mistake, with at most a short excerpt of the text. */
type JsonFault = { readonly expected: string }

const SAFE_DIGITS = 15

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const MINUS = 0x2d
const PLUS = 0x2b
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** Stands for a value that could not be parsed; `fault` has the reason. */
const failed: unique symbol = Symbol("failed")

// The state of the parser. Parsing is synchronous, so calls never overlap.
let mostDepth = MAX_DEPTH
let text = ""
let at = 0
let fault = ""

const fail = (reason: string): typeof failed => ((fault = reason), failed)

const unexpected = (wanted: string): typeof failed =>
  fail(
    at >= text.length
      ? `${wanted}, but the text ends at position ${at}`
      : `${wanted} at position ${at}, got ${echo(String.fromCodePoint(text.codePointAt(at) ?? 0))}`
  )

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE

const skipBlanks = (): number => {
  let unit = text.charCodeAt(at)
  while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09)
    unit = text.charCodeAt(++at)
  return unit
}

/** Parses the whole text as one value. */
export const parseJson = (
  source: string,
  maxDepth = MAX_DEPTH
): Either.Either<unknown, JsonFault> => {
  text = source
  mostDepth = maxDepth
  at = 0
  const value = readValue(0)
  const end = value === failed ? 0 : skipBlanks()
  const whole = value !== failed && at >= source.length
  if (value !== failed && !whole && end === end) unexpected("expected nothing after the value")
  text = ""
  return whole ? Either.right(value) : Either.left({ expected: fault })
}

const readValue = (depth: number): unknown => {
  const unit = skipBlanks()
  if (unit === QUOTE) return readString()
  if (unit === OPEN_OBJECT) return readObject(depth + 1)
  if (unit === OPEN_ARRAY) return readArray(depth + 1)
  if (unit === MINUS || isDigit(unit)) return readNumber()
  if (text.startsWith("true", at)) return readWord(4, true)
  if (text.startsWith("false", at)) return readWord(5, false)
  if (text.startsWith("null", at)) return readWord(4, null)
  return unexpected("expected a JSON value")
}

const readWord = <A>(length: number, value: A): A => {
  at += length
  return value
}

const tooDeep = () => fail(`expected at most ${mostDepth} levels of nesting, got more`)

const readArray = (depth: number): unknown => {
  if (depth > mostDepth) return tooDeep()
  const items: Array<unknown> = []
  at++
  if (skipBlanks() === CLOSE_ARRAY) return readWord(1, items)
  for (;;) {
    const item = readValue(depth)
    if (item === failed) return failed
    items.push(item)
    const unit = skipBlanks()
    at++
    if (unit === CLOSE_ARRAY) return items
    if (unit !== COMMA) return (at--, unexpected("expected , or ]"))
  }
}

const readObject = (depth: number): unknown => {
  if (depth > mostDepth) return tooDeep()
  const members: Record<string, unknown> = {}
  at++
  if (skipBlanks() === CLOSE_OBJECT) return readWord(1, members)
  for (;;) {
    if (skipBlanks() !== QUOTE) return unexpected("expected a member name in double quotes")
    const name = readString()
    if (typeof name !== "string") return failed
    if (Object.hasOwn(members, name))
      return fail(`expected each member once, got ${echo(name)} twice`)
    if (skipBlanks() !== COLON) return unexpected("expected :")
    at++
    const value = readValue(depth)
    if (value === failed) return failed
    if (name === "__proto__") define(members, name, value)
    else members[name] = value
    const unit = skipBlanks()
    at++
    if (unit === CLOSE_OBJECT) return members
    if (unit !== COMMA) return (at--, unexpected("expected , or }"))
  }
}

/** Assigning `__proto__` would set the object's prototype; defining it makes a member. */
const define = (members: Record<string, unknown>, name: string, value: unknown) =>
  Object.defineProperty(members, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true
  })

/** A longer slice is a view in V8 and would keep the whole body in memory. */
const MAX_COPIED_SLICE = 13

const readString = (): string | typeof failed => {
  const start = at
  let isPlain = true
  for (;;) {
    const unit = text.charCodeAt(++at)
    if (unit === QUOTE) break
    if (unit === BACKSLASH) {
      isPlain = false
      at++
    } else if (!(unit >= 0x20)) return unexpected("expected a character or a closing quote")
  }
  const end = at++
  return isPlain && end - start <= MAX_COPIED_SLICE
    ? text.slice(start + 1, end)
    : ownString(text.slice(start, end + 1), start)
}

/** Decodes a quoted string into a new string. */
const ownString = (quoted: string, start: number): string | typeof failed => {
  try {
    const value: unknown = JSON.parse(quoted)
    if (typeof value === "string") return value
  } catch {
    at = start
  }
  return unexpected("expected a string whose escapes JSON has")
}

const readNumber = (): number | typeof failed => {
  const start = at
  const negative = text.charCodeAt(at) === MINUS
  if (negative) at++
  const digits = at
  let value = 0
  let unit = text.charCodeAt(at)
  while (isDigit(unit)) {
    value = value * 10 + (unit - ZERO)
    unit = text.charCodeAt(++at)
  }
  const length = at - digits
  if (length === 0) return unexpected("expected a digit")
  if (length > 1 && text.charCodeAt(digits) === ZERO)
    return fail(`expected no leading zero at position ${digits}`)
  if (unit === DOT || unit === 0x65 || unit === 0x45) return readFraction(start)
  if (length <= SAFE_DIGITS) return negative && value !== 0 ? -value : value
  return bigInteger(text.slice(digits, at), negative)
}

/** Continues at the dot or the exponent. */
const readFraction = (start: number): number | typeof failed => {
  if (text.charCodeAt(at) === DOT) {
    at++
    if (!skipDigits()) return unexpected("expected a digit")
  }
  const unit = text.charCodeAt(at)
  if (unit === 0x65 || unit === 0x45) {
    const sign = text.charCodeAt(++at)
    if (sign === PLUS || sign === MINUS) at++
    if (!skipDigits()) return unexpected("expected a digit")
  }
  const value = Number(text.slice(start, at))
  return Number.isInteger(value) ? Number.NaN : value
}

const skipDigits = (): boolean => {
  const start = at
  while (isDigit(text.charCodeAt(at))) at++
  return at > start
}
