import { codePointKey, type Row } from "@petstore/core/storage"
import { FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { newCowToken } from "../../src/CowToken.js"
import { CHUNK_CAPACITY } from "../../src/index/SortedChunk.js"
import { entryOf, type IndexEntry, MutableEntry } from "../../src/index/IndexEntry.js"
import type { Interval } from "../../src/index/Interval.js"
import { SortedIndex } from "../../src/index/SortedIndex.js"

type Key = string | number | null

/** Distinguished by head and tail, by what follows the first 14 characters, or not at all. */
const STRINGS: ReadonlyArray<string> = [
  "",
  "Pet",
  "pet",
  "Pet\u0000",
  "Pets of a baker",
  "Pets of a butcher",
  "Pets of a b~"
]
const KINDS: ReadonlyArray<readonly [kind: string, keys: ReadonlyArray<Key>]> = [
  [
    "strings",
    [...STRINGS, "~", "\u007f", "é", "né", "né1", "\uffff", "\ud83d\udc36", "\ud83d\udc36x"]
  ],
  ["numbers", [null, 0, 1, 2, 3, 127, 128, 2 ** 31, Number.MAX_SAFE_INTEGER]]
]

const sortable = (key: Key) =>
  typeof key === "string" ? codePointKey(key) : (key ?? Number.NEGATIVE_INFINITY)

type Keyed = { readonly id: number; readonly key: Key }

const inOrder = (one: Keyed, other: Keyed): number =>
  one.key === other.key ? one.id - other.id : sortable(one.key) < sortable(other.key) ? -1 : 1

/** One entry that is refilled for each row, as in tables. */
const reused = new MutableEntry("key")

/** An index, and a plain map of what it must contain. */
class Side {
  readonly keys: Map<number, Key>
  readonly index: SortedIndex
  readonly rowOf = (id: number): Row => ({ id, revision: 1, key: this.keys.get(id) ?? null })

  constructor(index: SortedIndex, keys: Map<number, Key>) {
    this.index = index
    this.keys = keys
  }

  insert(id: number, key: Key): void {
    this.keys.set(id, key)
    reused.fill(this.rowOf(id))
    this.index.insert(reused, this.rowOf)
  }

  remove(id: number): void {
    this.index.remove(entryOf("key", this.keys.get(id) ?? null, id), this.rowOf)
    this.keys.delete(id)
  }

  expectInOrder(
    lower: IndexEntry | null,
    upper: IndexEntry | null,
    bounds: readonly [Keyed | null, Keyed | null]
  ): void {
    const [from, to] = bounds
    const inside = Array.from(this.keys, ([id, key]) => ({ id, key }))
      .toSorted(inOrder)
      .filter(
        (each) =>
          (from === null || inOrder(each, from) >= 0) && (to === null || inOrder(each, to) < 0)
      )
      .map(({ id }) => id)
    const interval: Interval = { lower, upper }
    expect(this.index.count(interval, this.rowOf)).toBe(inside.length)
    for (const limit of [1, 50, 10 * CHUNK_CAPACITY]) {
      expect(this.index.ids(interval, false, limit, this.rowOf)).toEqual(inside.slice(0, limit))
      expect(this.index.ids(interval, true, limit, this.rowOf)).toEqual(
        inside.toReversed().slice(0, limit)
      )
    }
  }
}

describe.each(KINDS)("sorted by %s", (_, keys) => {
  const key = fc.constantFrom(...keys)
  const bound = fc.option(fc.record({ key, id: fc.nat(2_000) }))
  const batch = fc.record({
    added: fc.array(key, { minLength: 1, maxLength: CHUNK_CAPACITY, size: "max" }),
    keptOneIn: fc.integer({ min: 1, max: 4 }),
    isForked: fc.boolean(),
    bounds: fc.array(fc.tuple(bound, bound), { minLength: 1, maxLength: 4 })
  })
  const entry = (keyed: Keyed | null) => keyed && entryOf("key", keyed.key, keyed.id)

  test("an index gives the entries of any interval in order, both ways, between any writes, as a sorted array would, and so does its copy", () => {
    fc.assert(
      fc.property(
        key,
        fc.array(batch, { minLength: 3, maxLength: 8, size: "max" }),
        (first, batches) => {
          let token = newCowToken()
          let side = new Side(
            SortedIndex.of(token, "key", entryOf("key", first, 1)),
            new Map([[1, first]])
          )
          let lastId = 1
          for (const { added, keptOneIn, isForked, bounds } of batches) {
            const left = isForked ? new Side(side.index, new Map(side.keys)) : undefined
            if (isForked) {
              token = newCowToken()
              side = new Side(side.index.writableBy(token), side.keys)
            }
            for (const each of added) side.insert(++lastId, each)
            for (const id of side.keys.keys()) if (id > 1 && id % keptOneIn !== 0) side.remove(id)
            for (const [from, to] of bounds) {
              side.expectInOrder(entry(from), entry(to), [from, to])
              left?.expectInOrder(entry(from), entry(to), [from, to])
            }
          }
        }
      ),
      { numRuns: 25 }
    )
  })
})

test("a copy of an index under another token is independent of it", () => {
  const rowOf = (id: number): Row => ({ id, revision: 1 })
  const last = 3 * CHUNK_CAPACITY
  const index = SortedIndex.of(newCowToken(), "id", entryOf("id", 1, 1))
  for (let id = 2; id <= last; id++) index.insert(entryOf("id", id, id), rowOf)
  const copy = index.writableBy(newCowToken())
  copy.remove(entryOf("id", 700, 700), rowOf)
  copy.insert(entryOf("id", last + 1, last + 1), rowOf)
  const all = { lower: null, upper: null }
  expect(index.ids(all, false, 2 * last, rowOf)).toEqual(
    Array.from({ length: last }, (_, index) => index + 1)
  )
  expect(copy.ids(all, true, 1, rowOf)).toEqual([last + 1])
  expect(copy.count(all, rowOf)).toBe(last)
})
