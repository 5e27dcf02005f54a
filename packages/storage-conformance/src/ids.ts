/** Ids are given once. */
import {
  categories,
  get,
  insert,
  inventory,
  orders,
  pets,
  type Program,
  refuse,
  remove,
  replace
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectDefect, expectRefusal, expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, read, rowsOf, write } from "./programs.js"
import * as sample from "./samples.js"

const insertPet = write(() => insert(pets, sample.pet()))
const absent = { ...sample.pet(), id: 9, revision: 1 }

export const ids: ReadonlyArray<Claim> = [
  {
    claim:
      "assigned ids are 1, 2, 3 and so on, in each collection separately, whatever id the row has",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const found = yield* write(function* () {
        return [
          (yield* insert(pets, sample.pet())).id,
          (yield* insert(pets, { ...sample.pet(), id: 70 })).id,
          (yield* insert(categories, sample.category())).id,
          (yield* insert(orders, sample.order())).id,
          (yield* insert(pets, sample.pet())).id
        ]
      })
      yield* expectSame("the ids", found, [1, 2, 4, 1, 3])
    })
  },
  {
    claim: "the id of a removed row is never assigned again, not even that of the last row",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* insertPet
      const last = yield* insertPet
      yield* write(() => remove(pets, last))
      yield* expectSame("the id after the last row was removed", (yield* insertPet).id, 3)
      yield* write(function* () {
        for (const row of yield* rowsOf(pets, EVERY_ROW)) yield* remove(pets, row)
      })
      yield* expectSame("the id after every row was removed", (yield* insertPet).id, 4)
      const within = yield* write(function* () {
        yield* remove(pets, yield* insert(pets, sample.pet()))
        return (yield* insert(pets, sample.pet())).id
      })
      yield* expectSame("the id after a row was inserted and removed in one program", within, 6)
    })
  },
  {
    claim: "ids that were assigned to a refused program are rolled back with it",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* insertPet
      const refused = write(function* (): Program<void, "no"> {
        yield* insert(pets, sample.pet())
        yield* insert(pets, sample.pet())
        yield* refuse<"no">("no")
      })
      yield* expectRefusal("the program", refused, "no")
      yield* expectSame("the next id", (yield* insertPet).id, 2)
    })
  },
  {
    claim:
      "a row with a given id keeps it, up to 2^53 - 1, and may have it again after it was removed",
    check: Effect.gen(function* () {
      const given = [7, 2 ** 53 - 1, 3, 2 ** 31]
      yield* write(function* () {
        for (const id of given) yield* insert(inventory, sample.stock(id))
      })
      const ordered = given.toSorted((left, right) => left - right)
      yield* expectSame("the ids", yield* read(() => idsOf(inventory, EVERY_ROW)), ordered)
      yield* expectSame(
        "downwards",
        yield* read(() => idsOf(inventory, EVERY_ROW, true)),
        ordered.toReversed()
      )
      const found = yield* write(function* () {
        const row = yield* get(inventory, 2 ** 53 - 1)
        if (row === undefined) return "no row"
        yield* remove(inventory, row)
        return (yield* insert(inventory, sample.stock(2 ** 53 - 1, { quantity: 5 }))).quantity
      })
      yield* expectSame("the row that came back", found, 5)
    })
  },
  {
    claim: "inserting a row under an existing id is a defect and changes nothing",
    check: Effect.gen(function* () {
      yield* write(() => insert(inventory, sample.stock(1, { quantity: 3 })))
      yield* expectDefect(
        "the second",
        write(() => insert(inventory, sample.stock(1, { quantity: 9 })))
      )
      const row = yield* read(() => get(inventory, 1))
      yield* expectSame("the first", row?.quantity, 3)
    })
  },
  {
    claim: "replacing or removing a missing row is a defect and changes nothing",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* insertPet
      yield* expectDefect(
        "replacing",
        write(() => replace(pets, absent, { name: "Ghost" }))
      )
      yield* expectDefect(
        "removing",
        write(() => remove(pets, absent))
      )
      yield* expectSame("the ids", yield* read(() => idsOf(pets, EVERY_ROW)), [1])
    })
  }
]
