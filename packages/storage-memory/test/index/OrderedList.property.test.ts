import { codePointKey, type Row } from "@petstore/core"
import { FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { type Entry, entryOf, RowEntry } from "../../src/index/Entry.js"
import type { Interval } from "../../src/index/Interval.js"
import { OrderedList } from "../../src/index/OrderedList.js"
import { newOwner } from "../../src/Owner.js"
import { RUN_LIMIT } from "../../src/index/Room.js"

type Key = string | number | null

/** Told apart by numbers, by what follows on their first 14 characters, or not at all. */
const TEXTS: ReadonlyArray<string> = [
  "",
  "Pet",
  "pet",
  "Pet\u0000",
  "Pets of a baker",
  "Pets of a butcher",
  "Pets of a b~"
]
const KINDS: ReadonlyArray<readonly [kind: string, keys: ReadonlyArray<Key>]> = [
  ["texts", [...TEXTS, "~", "\u007f", "é", "né", "né1", "\uffff", "\ud83d\udc36", "\ud83d\udc36x"]],
  ["numbers", [null, 0, 1, 2, 3, 127, 128, 2 ** 31, Number.MAX_SAFE_INTEGER]]
]

const sortable = (key: Key) =>
  typeof key === "string" ? codePointKey(key) : (key ?? Number.NEGATIVE_INFINITY)

type Known = { readonly id: number; readonly key: Key }

const inOrder = (one: Known, other: Known): number =>
  one.key === other.key ? one.id - other.id : sortable(one.key) < sortable(other.key) ? -1 : 1

/** As tables do it: one entry, filled anew for each row. */
const filled = new RowEntry("key")

/** A list beside a plain array of what shall be in it. */
class Side {
  readonly known: Map<number, Key>
  readonly list: OrderedList
  readonly rowOf = (id: number): Row => ({ id, revision: 1, key: this.known.get(id) ?? null })

  constructor(list: OrderedList, known: Map<number, Key>) {
    this.list = list
    this.known = known
  }

  insert(id: number, key: Key): void {
    this.known.set(id, key)
    filled.fill(this.rowOf(id))
    this.list.insert(filled, this.rowOf)
  }

  remove(id: number): void {
    this.list.remove(entryOf("key", this.known.get(id) ?? null, id), this.rowOf)
    this.known.delete(id)
  }

  expectInOrder(
    lower: Entry | null,
    upper: Entry | null,
    edges: readonly [Known | null, Known | null]
  ): void {
    const [from, to] = edges
    const inside = Array.from(this.known, ([id, key]) => ({ id, key }))
      .toSorted(inOrder)
      .filter((each) => (from === null || inOrder(each, from) >= 0) && (to === null || inOrder(each, to) < 0))
      .map(({ id }) => id)
    const interval: Interval = { lower, upper }
    expect(this.list.count(interval, this.rowOf)).toBe(inside.length)
    for (const limit of [1, 50, 10 * RUN_LIMIT]) {
      expect(this.list.ids(interval, false, limit, this.rowOf)).toEqual(inside.slice(0, limit))
      expect(this.list.ids(interval, true, limit, this.rowOf)).toEqual(inside.toReversed().slice(0, limit))
    }
  }
}

describe.each(KINDS)("sorted by %s", (_, keys) => {
  const key = fc.constantFrom(...keys)
  const edge = fc.option(fc.record({ key, id: fc.nat(2_000) }))
  const batch = fc.record({
    added: fc.array(key, { minLength: 1, maxLength: RUN_LIMIT, size: "max" }),
    keptOneIn: fc.integer({ min: 1, max: 4 }),
    isForked: fc.boolean(),
    edges: fc.array(fc.tuple(edge, edge), { minLength: 1, maxLength: 4 })
  })
  const entry = (known: Known | null) => known && entryOf("key", known.key, known.id)

  test("a list gives the entries of any interval in order, both ways, between any writes, as a sorted array would, and so does its copy", () => {
    fc.assert(
      fc.property(key, fc.array(batch, { minLength: 3, maxLength: 8, size: "max" }), (first, batches) => {
        let owner = newOwner()
        let side = new Side(OrderedList.of(owner, "key", entryOf("key", first, 1)), new Map([[1, first]]))
        let lastId = 1
        for (const { added, keptOneIn, isForked, edges } of batches) {
          const left = isForked ? new Side(side.list, new Map(side.known)) : undefined
          if (isForked) {
            owner = newOwner()
            side = new Side(side.list.ownedBy(owner), side.known)
          }
          for (const each of added) side.insert(++lastId, each)
          for (const id of side.known.keys()) if (id > 1 && id % keptOneIn !== 0) side.remove(id)
          for (const [from, to] of edges) {
            side.expectInOrder(entry(from), entry(to), [from, to])
            left?.expectInOrder(entry(from), entry(to), [from, to])
          }
        }
      }),
      { numRuns: 25 }
    )
  })
})

test("a copy of a list under another owner changes apart from it", () => {
  const rowOf = (id: number): Row => ({ id, revision: 1 })
  const last = 3 * RUN_LIMIT
  const list = OrderedList.of(newOwner(), "id", entryOf("id", 1, 1))
  for (let id = 2; id <= last; id++) list.insert(entryOf("id", id, id), rowOf)
  const copy = list.ownedBy(newOwner())
  copy.remove(entryOf("id", 700, 700), rowOf)
  copy.insert(entryOf("id", last + 1, last + 1), rowOf)
  const all = { lower: null, upper: null }
  expect(list.ids(all, false, 2 * last, rowOf)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  expect(copy.ids(all, true, 1, rowOf)).toEqual([last + 1])
  expect(copy.count(all, rowOf)).toBe(last)
})
