import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { cursorOf, positionOf } from "../../../src/engine/list/Cursor.js"

const position = fc.record({
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  value: fc.oneof(fc.constant(null), fc.maxSafeInteger(), fc.fullUnicodeString())
})

describe("a cursor", () => {
  it("leads back to where it was made, under its own query only", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), position, (query, other, place) => {
        const cursor = cursorOf(query, place)
        expect(positionOf(query, cursor)).toEqual(Either.right(place))
        if (other !== query) expect(Either.isLeft(positionOf(other, cursor))).toBe(true)
      })
    )
  })

  it("is refused once a character is changed, added or cut off, or leads to a place in the same list", () => {
    fc.assert(
      fc.property(
        position,
        fc.nat(),
        fc.constantFrom("!", "A", "=", "", "é"),
        (place, at, character) => {
          const cursor = cursorOf("query", place)
          const cut = at % (cursor.length + 1)
          const altered = cursor.slice(0, cut) + character + cursor.slice(cut + 1)
          const read = positionOf("query", altered)
          if (altered !== cursor && Either.isRight(read))
            expect(cursorOf("query", read.right)).toBe(altered)
        }
      )
    )
  })

  it.each(["", "x", "e30", "W10", "////", "null", "[1,2,3]"])("is not %j", (text) =>
    expect(Either.isLeft(positionOf("query", text))).toBe(true)
  )
})
