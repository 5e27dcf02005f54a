import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { Batch } from "../../src/index/Batch.js"
import { compareEntries, type Entry, entryOf } from "../../src/index/Entry.js"

const LIMIT = 100

const key = fc.oneof(
  fc.constantFrom(
    null,
    0,
    1,
    2 ** 40,
    "",
    "Pet",
    "Pet\u0000",
    "Pets of a baker",
    "Pets of a butcher",
    "Pets of a b~"
  ),
  fc.string({ unit: "binary", maxLength: 20 })
)

const standing = (batch: Batch): ReadonlyArray<Entry> =>
  Array.from({ length: batch.length }, (_, place) => {
    batch.moveTo(place)
    const { head, tail, key, id } = batch
    return { head, tail, key, id }
  })

test("a batch that is used again and again puts any entries in the order that comparing them gives", () => {
  const batch = new Batch(LIMIT)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(key, fc.nat()), { maxLength: LIMIT, size: "max", selector: ([, id]) => id }),
      (given) => {
        const entries = given.map(([each, id]) => entryOf("key", each, id))
        batch.clear()
        for (const { head, tail, key, id } of entries) batch.add(head, tail, key, id)
        batch.sort()
        expect(standing(batch)).toEqual(entries.toSorted(compareEntries))
      }
    )
  )
})
