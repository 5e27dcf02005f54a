import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { compareEntries, entryOf, type IndexEntry } from "../../src/index/IndexEntry.js"
import { PendingEntries } from "../../src/index/PendingEntries.js"

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

const sortedOf = (pending: PendingEntries): ReadonlyArray<IndexEntry> =>
  Array.from({ length: pending.length }, (_, nth) => {
    pending.moveTo(nth)
    const { head, tail, key, id } = pending
    return { head, tail, key, id }
  })

test("pending entries that are cleared and reused sort any entries as comparing them does", () => {
  const pending = new PendingEntries(LIMIT)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(key, fc.nat()), {
        maxLength: LIMIT,
        size: "max",
        selector: ([, id]) => id
      }),
      (given) => {
        const entries = given.map(([each, id]) => entryOf("key", each, id))
        pending.clear()
        for (const { head, tail, key, id } of entries) pending.add(head, tail, key, id)
        pending.sort()
        expect(sortedOf(pending)).toEqual(entries.toSorted(compareEntries))
      }
    )
  )
})
