import { FastCheck as fc } from "effect"
import { expect, it } from "vitest"
import { fold } from "../../src/value/Text.js"

const letters = fc.constantFrom(
  "a",
  "Z",
  "ß",
  "Σ",
  "σ",
  "ς",
  "İ",
  "ı",
  "É",
  "ﬁ",
  "Ω",
  "ж",
  "Ж",
  " ",
  "🦜",
  "’",
  "."
)

it("what a name starts with, its folded form starts with too", () => {
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), fc.nat(), (points, at) => {
      const start = points.slice(0, (at % points.length) + 1).join("")
      expect(fold(points.join("")).startsWith(fold(start))).toBe(true)
      expect(fold(start.toUpperCase())).toBe(fold(start.toUpperCase().toLowerCase()))
    })
  )
})

it("Greek names are found by their start, in either case", () => {
  for (const start of ["ΟΔΟΣ", "οδοσ", "οδος", "ΟΔΟ"])
    expect(fold("ΟΔΟΣΑΣ").startsWith(fold(start))).toBe(true)
})
