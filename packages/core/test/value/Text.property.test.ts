import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { codePointKey, Name, prefixEnd } from "../../src/value/Text.js"

/** Texts rich in what sorts differently by UTF-16 unit and by code point. */
const point = fc.oneof(
  fc.integer({ min: 1, max: 0x7f }),
  fc.integer({ min: 0xd7f0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xe010 }),
  fc.integer({ min: 0xfff0, max: 0xffff }),
  fc.integer({ min: 0x10000, max: 0x10010 }),
  fc.integer({ min: 0x10fff0, max: 0x10ffff })
)
const text = fc.array(point, { maxLength: 6 }).map((points) => String.fromCodePoint(...points))

const byCodePoint = (left: string, right: string): number => {
  const [a, b] = [Array.from(left), Array.from(right)]
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(a.length - b.length)
}

describe("texts", () => {
  it("compare by code point through their keys", () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b] = [codePointKey(left), codePointKey(right)]
        expect(a < b ? -1 : a > b ? 1 : 0).toBe(byCodePoint(left, right))
      })
    )
  })

  it("start with a prefix exactly when they lie between it and its end", () => {
    fc.assert(
      fc.property(
        text.filter((prefix) => prefix !== ""),
        text,
        text,
        (prefix, rest, other) => {
          const end = prefixEnd(prefix)
          for (const candidate of [prefix + rest, other]) {
            const inside =
              byCodePoint(candidate, prefix) >= 0 &&
              (end === null || byCodePoint(candidate, end) < 0)
            expect(inside).toBe(
              Array.from(candidate).slice(0, Array.from(prefix).length).join("") === prefix
            )
          }
        }
      )
    )
  })

  it("are names exactly when they have 1 to 200 code points, not all blank", () => {
    const long = fc.tuple(fc.constantFrom("a", "é", "🦜"), fc.integer({ min: 0, max: 402 }))
    fc.assert(
      fc.property(long, ([character, length]) => {
        expect(Name.is(character.repeat(length))).toBe(length >= 1 && length <= 200)
      })
    )
    for (const blank of ["", " ", "\t\n", "\u3000", "a\u0000", "\ud800"])
      expect(Name.is(blank)).toBe(false)
  })
})
