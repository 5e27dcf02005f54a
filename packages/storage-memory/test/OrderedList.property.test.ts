import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { compareEntries as inOrder, type Entry, entryOf } from "../src/Entry.js"
import { OrderedList } from "../src/OrderedList.js"
import { newOwner } from "../src/Owner.js"
import { RUN_LIMIT } from "../src/Run.js"

const distinct = (keys: number) =>
  fc
    .array(fc.record({ key: fc.integer({ min: 0, max: keys }), order: fc.nat() }), {
      minLength: 3 * RUN_LIMIT,
      maxLength: 4 * RUN_LIMIT
    })
    .map((entries) =>
      entries
        .map(({ key, order }, index) => ({ entry: entryOf("key", key, index + 1), order }))
        .toSorted((left, right) => left.order - right.order)
        .map(({ entry }) => entry)
    )

const edge: fc.Arbitrary<Entry | null> = fc.option(
  fc
    .record({ key: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 100 })), id: fc.nat(2_000) })
    .map(({ key, id }) => entryOf("key", key, id))
)

test("a list of several runs gives the entries of any interval in order, both ways, as a sorted array would", () => {
  fc.assert(
    fc.property(
      distinct(100),
      fc.array(fc.record({ lower: edge, upper: edge, limit: fc.constantFrom(1, 50, 5_000) }), {
        minLength: 20
      }),
      fc.nat(6),
      (entries, questions, keepOneIn) => {
        const [first, ...rest] = entries
        if (first === undefined) return
        const list = OrderedList.of(newOwner(), true, first)
        for (const entry of rest) list.insert(entry)
        const kept = entries.filter(({ id }) => id % (keepOneIn + 1) === 0)
        for (const entry of entries) if (entry.id % (keepOneIn + 1) !== 0) list.remove(entry)
        expect(list.size).toBe(kept.length)
        for (const { lower, upper, limit } of questions) {
          const inside = kept
            .toSorted(inOrder)
            .filter((entry) => lower === null || inOrder(entry, lower) >= 0)
            .filter((entry) => upper === null || inOrder(entry, upper) < 0)
            .map(({ id }) => id)
          expect(list.ids({ lower, upper }, false, limit)).toEqual(inside.slice(0, limit))
          expect(list.ids({ lower, upper }, true, limit)).toEqual(inside.toReversed().slice(0, limit))
          expect(list.count({ lower, upper })).toBe(inside.length)
        }
      }
    ),
    { numRuns: 15 }
  )
})

test("a copy of a list under another owner changes apart from it", () => {
  const list = OrderedList.of(newOwner(), false, entryOf("id", 1, 1))
  for (let id = 2; id <= 1_500; id++) list.insert(entryOf("id", id, id))
  const copy = list.ownedBy(newOwner())
  copy.remove(entryOf("id", 700, 700))
  copy.insert(entryOf("id", 1_501, 1_501))
  const all = { lower: null, upper: null }
  expect(list.ids(all, false, 5_000)).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1))
  expect(copy.ids(all, true, 1)).toEqual([1_501])
  expect(copy.count(all)).toBe(1_500)
})
