/** Which rows a range has. */
import {
  count,
  insert,
  inventory,
  keys,
  orders,
  pets,
  type Range,
  type Value
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, indexOf, rangeOf, read, write } from "./programs.js"
import * as sample from "./samples.js"

/** The ids of a range of orders, and that its count agrees. */
const ordersIn = (range: Range) =>
  Effect.gen(function* () {
    const [ids, total] = yield* read(function* () {
      return [yield* idsOf(orders, range), yield* count(orders, range)] as const
    })
    yield* expectSame(`the count by ${range.index.name}`, total, ids.length)
    return ids
  })

const fiveOrders = write(function* () {
  yield* insert(orders, sample.order({ petId: 1, shipDateMs: 10 }))
  yield* insert(orders, sample.order({ petId: null, shipDateMs: null }))
  yield* insert(orders, sample.order({ petId: 1, shipDateMs: 20, complete: true }))
  yield* insert(orders, sample.order({ petId: 11, shipDateMs: 20 }))
  yield* insert(orders, sample.order({ petId: 1, shipDateMs: 30 }))
})

const on = (name: string, ...prefix: ReadonlyArray<Value>) => rangeOf(indexOf(orders, name), prefix)
const dates = (atLeast: Value, below: Value) =>
  rangeOf(indexOf(orders, "complete_ship_date"), [false], { atLeast, below })

export const ranges: ReadonlyArray<Claim> = [
  {
    claim:
      "a range has the rows whose columns equal its prefix; null equals null, and false is " +
      "not null",
    check: Effect.gen(function* () {
      yield* fiveOrders
      yield* expectSame("open", yield* ordersIn(on("complete", false)), [1, 2, 4, 5])
      yield* expectSame("complete", yield* ordersIn(on("complete", true)), [3])
      yield* expectSame("open, of pet 1", yield* ordersIn(on("pet_complete", 1, false)), [1, 5])
      yield* expectSame("complete, of pet 1", yield* ordersIn(on("pet_complete", 1, true)), [3])
      yield* expectSame("open, of no pet", yield* ordersIn(on("pet_complete", null, false)), [2])
      yield* expectSame("complete, of no pet", yield* ordersIn(on("pet_complete", null, true)), [])
      yield* expectSame(
        "of a pet nobody ordered",
        yield* ordersIn(on("pet_complete", 2, false)),
        []
      )
      yield* expectSame("by date", yield* ordersIn(on("pet_complete_ship_date", 1, false)), [1, 5])
    })
  },
  {
    claim: "a text in a prefix is compared completely and exactly",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const digests = ["ab", "abc", "AB", "", "1", "1.0", "null", "\u{1f436}"]
      yield* write(function* () {
        for (const digest of digests) yield* insert(keys, sample.key({ digest }))
      })
      for (const [at, digest] of digests.entries()) {
        const ids = yield* read(() => idsOf(keys, rangeOf(indexOf(keys, "digest"), [digest])))
        yield* expectSame(`the key with digest ${digest}`, ids, [at + 1])
      }
    })
  },
  {
    claim:
      "bounds narrow a range by its sort column: the lower one is inclusive, the upper one " +
      "exclusive",
    check: Effect.gen(function* () {
      yield* fiveOrders
      yield* expectSame("from 10 to 20", yield* ordersIn(dates(10, 20)), [1])
      yield* expectSame("from 10 to 21", yield* ordersIn(dates(10, 21)), [1, 4])
      yield* expectSame("from 11", yield* ordersIn(dates(11, null)), [4, 5])
      yield* expectSame("from 30", yield* ordersIn(dates(30, null)), [5])
      yield* expectSame("from 31", yield* ordersIn(dates(31, null)), [])
      yield* expectSame("from 20 to 20", yield* ordersIn(dates(20, 20)), [])
      yield* expectSame("from 30 to 10", yield* ordersIn(dates(30, 10)), [])
    })
  },
  {
    claim:
      "rows without a sort value are below every bound: an upper bound alone includes them, " +
      "a lower one excludes them",
    check: Effect.gen(function* () {
      yield* fiveOrders
      yield* expectSame("without bounds", yield* ordersIn(dates(null, null)), [2, 1, 4, 5])
      yield* expectSame("below 20", yield* ordersIn(dates(null, 20)), [2, 1])
      yield* expectSame("from the least integer", yield* ordersIn(dates(-(2 ** 53 - 1), 20)), [1])
    })
  },
  {
    claim: "bounds on texts compare by code point",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const names = ["max", "maxi", "maxi\uffff", "maxi\u{1f436}", "may", "Max"]
      yield* write(function* () {
        for (const foldedName of names) yield* insert(pets, sample.pet({ foldedName }))
      })
      const named = (atLeast: string, below: string) =>
        read(() =>
          idsOf(
            pets,
            rangeOf(indexOf(pets, "status_folded_name"), ["available"], { atLeast, below })
          )
        )
      yield* expectSame("starting with max", yield* named("max", "may"), [1, 2, 3, 4])
      yield* expectSame("starting with maxi", yield* named("maxi", "maxj"), [2, 3, 4])
      yield* expectSame("below the emoji", yield* named("maxi", "maxi\u{1f436}"), [2, 3])
    })
  },
  {
    claim: "bounds on ids work as on any column, in all rows and under a prefix",
    check: Effect.gen(function* () {
      const given = [1, 2, 255, 256, 257, 1_000, 2 ** 40]
      yield* write(function* () {
        for (const id of given) yield* insert(inventory, sample.stock(id))
      })
      for (const whole of [EVERY_ROW, rangeOf(indexOf(inventory, "status"), ["available"])]) {
        for (const [atLeast, below] of [
          [2, 257],
          [3, null],
          [null, 256],
          [258, 999],
          [2 ** 40, null]
        ] as const) {
          const range = { ...whole, atLeast, below }
          const expected = given.filter((id) => id >= (atLeast ?? 0) && id < (below ?? Infinity))
          yield* expectSame(
            `from ${atLeast} to ${below}`,
            yield* read(() => idsOf(inventory, range)),
            expected
          )
          yield* expectSame(
            "their count",
            yield* read(() => count(inventory, range)),
            expected.length
          )
          const down = yield* read(() => idsOf(inventory, range, true))
          yield* expectSame(`down from ${below} to ${atLeast}`, down, expected.toReversed())
        }
      }
    })
  },
  {
    claim:
      "a scan of many rows is complete and in order, and its count exact, also after most of " +
      "them are removed",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const total = 3_000
      const nameOf = (number: number) => `Pet ${(number * 7_919) % total}`.padEnd(8)
      yield* write(function* () {
        for (let number = 1; number <= total; number++)
          yield* insert(pets, sample.pet({ name: nameOf(number) }))
      })
      const byName = rangeOf(indexOf(pets, "status_name"), ["available"])
      const expected = Array.from({ length: total }, (_, at) => at + 1).toSorted((left, right) =>
        nameOf(left) < nameOf(right) ? -1 : 1
      )
      yield* expectSame("the ids by name", yield* read(() => idsOf(pets, byName)), expected)
      yield* write(function* () {
        for (let id = 1; id <= total; id++)
          if (id % 100 !== 0) yield { op: "remove", collection: pets, id }
      })
      const left = expected.filter((id) => id % 100 === 0)
      yield* expectSame("what is left", yield* read(() => idsOf(pets, byName)), left)
      yield* expectSame("its count", yield* read(() => count(pets, byName)), left.length)
    })
  }
]
