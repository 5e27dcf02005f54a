/** What a backend that answers at once promises of reads that run together. */
import { categories, DirectStorage, get, insert, type Program } from "@petstore/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import * as sample from "./samples.js"

function* insertCategory(): Program<void> {
  yield* insert(categories, sample.category())
}

export const together: ReadonlyArray<Claim<DirectStorage>> = [
  {
    claim:
      "reads that run together run at once, and see what their own storage has written before and in between",
    check: Effect.gen(function* () {
      const direct = yield* DirectStorage
      const isThere = (id: number) => {
        const found = direct.read(() => get(categories, id))
        return Either.isRight(found) && found.right !== undefined
      }
      const seen: Array<boolean> = []
      direct.write(insertCategory)
      direct.together(() => {
        seen.push(isThere(1), isThere(2))
        direct.write(insertCategory)
        seen.push(isThere(2))
      })
      yield* Effect.promise(async () => direct.submit(insertCategory))
      direct.together(() => seen.push(isThere(3)))
      direct.apart()
      direct.apart()
      seen.push(isThere(3))
      yield* expectSame("what was there", seen, [true, false, true, true, true])
    })
  },
  {
    claim: "an edition that was asked for together with reads ends when their own storage writes",
    check: Effect.gen(function* () {
      const direct = yield* DirectStorage
      const ends: Array<boolean> = []
      direct.together(() => {
        const before = direct.edition([categories])
        direct.read(() => get(categories, 1))
        ends.push(before !== direct.edition([categories]))
        direct.write(insertCategory)
        ends.push(before !== direct.edition([categories]))
      })
      yield* expectSame("the edition ends", ends, [false, true])
    })
  },
  {
    claim: "what throws among reads that run together is thrown on, and keeps nobody from reading or writing",
    check: Effect.gen(function* () {
      const direct = yield* DirectStorage
      const defect = new Error("a mistake of the reader")
      let thrown: unknown
      try {
        direct.together(() => {
          direct.read(() => get(categories, 1))
          throw defect
        })
      } catch (caught) {
        thrown = caught
      }
      yield* expectSame("what was thrown is it", thrown === defect, true)
      const written = direct.write(insertCategory)
      yield* expectSame("the write succeeded", Either.isRight(written), true)
      const found = direct.read(() => get(categories, 1))
      yield* expectSame("it is there", Either.isRight(found) && found.right !== undefined, true)
    })
  }
]
