/** Programs run as if one after the other, and a program that only reads sees one state. */
import {
  find,
  get,
  insert,
  inventory,
  pets,
  type Program,
  type ReadProgram,
  refuse,
  replace
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Claim } from "./Claim.js"
import { expectAnswer, expectSame } from "./expect.js"
import { atOnce, EVERY_ROW, idsOf, read, write } from "./programs.js"
import * as sample from "./samples.js"

const missing = () => "no stock" as const

/** Takes one unit, or refuses when there is none. */
function* takeOne(): Program<number, "no stock"> {
  const row = yield* find(inventory, 1, missing)
  if (row.quantity === 0) yield* refuse(missing())
  return (yield* replace(inventory, row, { quantity: row.quantity - 1 })).quantity
}

/** Moves one unit from one row to another. */
function* move(from: number, to: number): Program<void, "no stock"> {
  const giver = yield* find(inventory, from, missing)
  yield* replace(inventory, giver, { quantity: giver.quantity - 1 })
  const taker = yield* find(inventory, to, missing)
  yield* replace(inventory, taker, { quantity: taker.quantity + 1 })
}

function* units(): ReadProgram<number> {
  const first = yield* get(inventory, 1)
  const second = yield* get(inventory, 2)
  return (first?.quantity ?? 0) + (second?.quantity ?? 0)
}

export const isolation: ReadonlyArray<Claim> = [
  {
    claim: "of 50 concurrent programs that want the last unit, exactly one gets it",
    check: Effect.gen(function* () {
      yield* write(() => insert(inventory, sample.stock(1, { quantity: 1 })))
      const outcomes = yield* atOnce(50, () => Effect.either(write(takeOne)))
      yield* expectSame("how many got it", outcomes.filter(Either.isRight).length, 1)
      yield* expectSame(
        "how many were refused",
        outcomes.filter((outcome) => Either.isLeft(outcome) && outcome.left === "no stock").length,
        49
      )
      yield* expectSame("what is left", (yield* read(() => get(inventory, 1)))?.quantity, 0)
    })
  },
  {
    claim:
      "50 concurrent programs that each take one of 50 units all get one, each a different one",
    check: Effect.gen(function* () {
      yield* write(() => insert(inventory, sample.stock(1, { quantity: 50 })))
      const left = Effect.map(
        atOnce(50, () => write(takeOne)),
        (quantities) => quantities.toSorted((one, other) => other - one)
      )
      const each = Array.from({ length: 50 }, (_, taken) => 49 - taken)
      yield* expectAnswer("what each left", left, each)
    })
  },
  {
    claim: "rows that are inserted concurrently get different ids",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const rows = yield* atOnce(50, (number) =>
        write(() => insert(pets, sample.pet({ name: `Pet ${number}` })))
      )
      yield* expectSame("how many ids", new Set(rows.map((row) => row.id)).size, 50)
      const ids = yield* read(() => idsOf(pets, EVERY_ROW))
      yield* expectSame(
        "the ids",
        ids,
        Array.from({ length: 50 }, (_, number) => number + 1)
      )
    })
  },
  {
    claim: "while units move from row to row, every program that reads both rows sees the same sum",
    check: Effect.gen(function* () {
      yield* write(function* () {
        yield* insert(inventory, sample.stock(1, { quantity: 100 }))
        yield* insert(inventory, sample.stock(2, { quantity: 100 }))
      })
      const sums = yield* atOnce(60, (number) =>
        number % 3 === 0
          ? read(units)
          : Effect.as(Effect.either(write(() => (number % 3 === 1 ? move(1, 2) : move(2, 1)))), 200)
      )
      yield* expectSame("the sums", [...new Set(sums)], [200])
      yield* expectSame("the sum afterwards", yield* read(units), 200)
    })
  },
  {
    claim: "the writes of a program are seen by every program that starts after it has succeeded",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      for (let number = 1; number <= 20; number++) {
        yield* write(() => insert(pets, sample.pet()))
        const ids = yield* read(() => idsOf(pets, EVERY_ROW))
        yield* expectSame("how many pets", ids.length, number)
      }
    })
  },
  {
    claim: "an effect that runs a program may be run again, and runs it from its beginning",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      const insertOne = write(() => insert(pets, sample.pet()))
      const ids = [(yield* insertOne).id, (yield* insertOne).id]
      yield* expectSame("the ids", ids, [1, 2])
    })
  }
]
