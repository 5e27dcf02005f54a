/** The order of every list, the same in every backend. */
import { categories, insert, inventory, orders, pets, replace } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, indexOf, rangeOf, read, rowsOf, write } from "./programs.js"
import * as sample from "./samples.js"

/**
 * In code-point order, which is the order of their UTF-8 bytes and not that of their UTF-16 units.
 */
const ORDERED_TEXTS = [
  "",
  " ",
  "0",
  "10",
  "2",
  "A",
  "Ab",
  "Abacus, the eldest of nine",
  "Abacus, the eldest of ten",
  "Zoe",
  "_",
  "a",
  "ab",
  "z",
  "\u007f",
  "\u00e9",
  "\u0416",
  "\u4e2d",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f436}",
  "\u{1f436} again",
  "\u{10ffff}"
]

/** The places of a list in an order that has nothing to do with its own. */
const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value, at) => ({ value, rank: (at * 7 + 3) % values.length }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ value }) => value)

export const order: ReadonlyArray<Claim> = [
  {
    claim:
      "texts are sorted by code point: upper case before lower, a text before its " +
      "continuations, U+FFFF before emoji",
    check: Effect.gen(function* () {
      yield* write(function* () {
        for (const name of shuffled(ORDERED_TEXTS))
          yield* insert(categories, sample.category({ name, foldedName: name }))
      })
      const byName = yield* read(() => rowsOf(categories, rangeOf(indexOf(categories, "name"))))
      yield* expectSame(
        "the names",
        byName.map((row) => row.name),
        ORDERED_TEXTS
      )
      const byFolded = yield* read(() =>
        rowsOf(categories, rangeOf(indexOf(categories, "folded_name")))
      )
      yield* expectSame(
        "the folded names",
        byFolded.map((row) => row.foldedName),
        ORDERED_TEXTS
      )
    })
  },
  {
    claim: "integers are sorted by size, and not as texts",
    check: Effect.gen(function* () {
      const sizes = [0, 2, 9, 10, 11, 100, 1_000, 2 ** 31 - 1]
      yield* write(function* () {
        let id = 0
        for (const quantity of shuffled(sizes))
          yield* insert(inventory, sample.stock(++id, { quantity }))
      })
      const range = rangeOf(indexOf(inventory, "status_quantity"), ["available"])
      const rows = yield* read(() => rowsOf(inventory, range))
      yield* expectSame(
        "the quantities",
        rows.map((row) => row.quantity),
        sizes
      )
    })
  },
  {
    claim: "null sorts before every value, negative ones too",
    check: Effect.gen(function* () {
      const dates = [null, -(2 ** 53 - 1), -1, 0, 1, 2 ** 53 - 1]
      yield* write(function* () {
        for (const shipDateMs of shuffled(dates))
          yield* insert(orders, sample.order({ shipDateMs }))
      })
      const rows = yield* read(() =>
        rowsOf(orders, rangeOf(indexOf(orders, "complete_ship_date"), [false]))
      )
      yield* expectSame(
        "the dates",
        rows.map((row) => row.shipDateMs),
        dates
      )
    })
  },
  {
    claim: "rows with equal sort values are sorted by id, and ids by size",
    check: Effect.gen(function* () {
      const given = [10, 9, 2, 1, 100, 11]
      yield* write(function* () {
        for (const id of given) yield* insert(inventory, sample.stock(id, { quantity: 5 }))
      })
      const ordered = [1, 2, 9, 10, 11, 100]
      for (const name of ["status", "status_quantity"]) {
        const ids = yield* read(() =>
          idsOf(inventory, rangeOf(indexOf(inventory, name), ["available"]))
        )
        yield* expectSame(`the ids by ${name}`, ids, ordered)
      }
      yield* expectSame("all ids", yield* read(() => idsOf(inventory, EVERY_ROW)), ordered)
    })
  },
  {
    claim: "descending is the reverse of ascending, ties and nulls included",
    check: Effect.gen(function* () {
      yield* write(function* () {
        for (const shipDateMs of [3, null, 3, 1, null, 2, 3])
          yield* insert(orders, sample.order({ shipDateMs }))
      })
      const range = rangeOf(indexOf(orders, "complete_ship_date"), [false])
      yield* expectSame("upwards", yield* read(() => idsOf(orders, range)), [2, 5, 4, 6, 1, 3, 7])
      yield* expectSame(
        "downwards",
        yield* read(() => idsOf(orders, range, true)),
        [7, 3, 1, 6, 4, 5, 2]
      )
    })
  },
  {
    claim:
      "a replaced row moves to the position of its new value in every index, and leaves its " +
      "old one",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const names = ["Bo", "Max", "Rex"]
      yield* write(function* () {
        for (const name of names)
          yield* insert(pets, sample.pet({ name, foldedName: name.toLowerCase() }))
        const [bo] = yield* rowsOf(pets, EVERY_ROW)
        if (bo !== undefined) yield* replace(pets, bo, { name: "Zoe", foldedName: "zoe" })
      })
      const under = (name: string, ...prefix: ReadonlyArray<string | number>) =>
        read(() => idsOf(pets, rangeOf(indexOf(pets, name), prefix)))
      yield* expectSame("by name", yield* under("status_name", "available"), [2, 3, 1])
      yield* expectSame(
        "by folded name",
        yield* under("status_folded_name", "available"),
        [2, 3, 1]
      )
      yield* expectSame("by id", yield* under("status", "available"), [1, 2, 3])
      yield* write(function* () {
        const [, max] = yield* rowsOf(pets, EVERY_ROW)
        if (max !== undefined) yield* replace(pets, max, { status: "pending", categoryId: 2 })
      })
      yield* expectSame("still available", yield* under("status", "available"), [1, 3])
      yield* expectSame("now pending", yield* under("status_name", "pending"), [2])
      yield* expectSame(
        "no longer of its category",
        yield* under("category_status_name", 1, "available"),
        [3, 1]
      )
      yield* expectSame("of its new category", yield* under("category_status", 2, "pending"), [2])
    })
  }
]
