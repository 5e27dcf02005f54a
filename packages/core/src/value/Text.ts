/**
 * Names and descriptions: written by people, returned exactly as written, counted and compared by
 * code point.
 */
import { text } from "./Field.js"

/** In code points. */
export const MAX_NAME_LENGTH = 200

/** In code points. */
export const MAX_DESCRIPTION_LENGTH = 2_000

/**
 * Whether a text has at most `limit` code points, without counting when the number of UTF-16 units
 * decides it.
 */
const within = (text: string, limit: number): boolean => {
  if (text.length <= limit) return true
  if (text.length > 2 * limit) return false
  let points = 0
  for (const _ of text) if (++points > limit) return false
  return true
}

/** Lone surrogates have no UTF-8, and U+0000 ends a text in many tools. */
const storable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

/**
 * White space as JavaScript's `\s`, written out for other dialects. Characters below U+0100 are
 * written as `\xHH`, which every dialect supports, and others as themselves: Go's RE2 and PCRE2
 * refuse `\uHHHH`.
 */
const BLANK = "\\x09-\\x0d\\x20\\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

/** 1 to 200 code points, not only white space. */
export const Name = text({
  expected: "1 to 200 characters, not blank, no U+0000 and no lone surrogate",
  is: (name) => within(name, MAX_NAME_LENGTH) && /\S/u.test(name) && storable(name),
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: `^[^\\x00]*[^\\x00${BLANK}][^\\x00]*$`
})

/** What a name may start with: 1 to 200 code points. */
export const NamePrefix = text({
  expected: `1 to ${MAX_NAME_LENGTH} characters`,
  is: (prefix) => prefix !== "" && within(prefix, MAX_NAME_LENGTH) && prefix.isWellFormed(),
  minLength: 1,
  maxLength: MAX_NAME_LENGTH
})

/** Up to 2,000 code points; may be empty. */
export const Description = text({
  expected: "at most 2,000 characters, no U+0000 and no lone surrogate",
  is: (description) => within(description, MAX_DESCRIPTION_LENGTH) && storable(description),
  maxLength: MAX_DESCRIPTION_LENGTH,
  pattern: "^[^\\x00]*$"
})

const BEYOND_ASCII = /[\u0080-\uffff]/

/**
 * The form in which names are compared without regard to case: composed, then folded, independent
 * of any locale. Each character folds independently of what follows (there is no final sigma), so
 * the folded form of a prefix is a prefix of the folded form.
 */
export const fold = (name: string): string =>
  BEYOND_ASCII.test(name)
    ? name.normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ")
    : name.toLowerCase()

/**
 * A text whose native order (by UTF-16 unit) is the code-point order of the text it was made from,
 * so that every backend sorts alike: SQLite compares UTF-8 bytes, which is code-point order;
 * JavaScript puts astral characters before U+E000.
 */
export const codePointKey = (text: string): string =>
  /[\ud800-\uffff]/.test(text)
    ? text.replace(/[\ud800-\uffff]/g, (unit) => {
        const code = unit.charCodeAt(0)
        return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000)
      })
    : text

/**
 * The least text, by code point, above every text that begins with `prefix`; null if there is none.
 */
export const prefixEnd = (prefix: string): string | null => {
  const points = Array.from(prefix, (point) => point.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return null
}
