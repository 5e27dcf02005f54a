/** Removing the oldest rows of a collection, as the feed does with changes. */
import {
  changes,
  type Collection,
  count,
  insert,
  pets,
  type Program,
  type ReadProgram,
  refuse,
  type Row
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectRefusal, expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, indexOf, rangeOf, read, write } from "./programs.js"
import * as sample from "./samples.js"

function* deleteBelow<R extends Row>(collection: Collection<R>, below: number): Program<void> {
  yield { op: "deleteBelow", collection, below }
}

export const trim: ReadonlyArray<Claim> = [
  {
    claim:
      "deleteBelow removes all rows below an id, from scans and counts too, and no other; a " +
      "refused one removes nothing",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* write(function* () {
        for (let number = 0; number < 200; number++) {
          yield* insert(changes, sample.change())
          yield* insert(pets, sample.pet({ status: number % 2 === 0 ? "available" : "sold" }))
        }
      })
      const available = rangeOf(indexOf(pets, "status"), ["available"])
      function* left(): ReadProgram<ReadonlyArray<unknown>> {
        const [first] = yield* idsOf(changes, EVERY_ROW)
        return [
          first,
          yield* count(changes, EVERY_ROW),
          yield* idsOf(pets, available),
          yield* count(pets, available)
        ]
      }
      function* trimBoth(): Program<void> {
        yield* deleteBelow(changes, 151)
        yield* deleteBelow(pets, 198)
      }
      const before = yield* read(left)
      yield* expectRefusal(
        "the trim",
        write(function* (): Program<void, "no"> {
          yield* trimBoth()
          yield* refuse("no" as const)
        }),
        "no"
      )
      yield* expectSame("what is left of a refused one", yield* read(left), before)
      yield* write(trimBoth)
      yield* expectSame("what is left", yield* read(left), [151, 50, [199], 1])
      yield* write(() => deleteBelow(changes, 100))
      yield* expectSame("what is left after a trim of nothing", yield* read(left), [
        151,
        50,
        [199],
        1
      ])
      yield* expectSame(
        "the next change",
        (yield* write(() => insert(changes, sample.change()))).id,
        201
      )
    })
  }
]
