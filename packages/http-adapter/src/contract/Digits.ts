/** Parses whole numbers in plain decimal digits. */

/** The largest int64 (SPEC.md §2: ids are int64), as digits. */
const MAX_INT64_DIGITS = "9223372036854775807"

/** The most digits that always stay below 2^53. */
const SAFE_DIGITS = 15

const ZERO = 48

/**
 * Undefined for a text with a sign, a leading zero, a fraction or an exponent, and above int64. A
 * number above 2^53 − 1 is rounded to one that no record has.
 */
export const parseDigits = (text: string): number | undefined => {
  const { length } = text
  if (length === 0 || length > MAX_INT64_DIGITS.length) return undefined
  let value = 0
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  if (length > 1 && text.charCodeAt(0) === ZERO) return undefined
  if (length <= SAFE_DIGITS) return value
  return length < MAX_INT64_DIGITS.length || text <= MAX_INT64_DIGITS ? Number(text) : undefined
}
