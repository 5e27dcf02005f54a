/** Reads that share a snapshot. They hold for a backend without the capability as well. */
import { categories, type DirectStorage, get, insert, type Program } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Claim } from "./Claim.js"
import { direct } from "./direct.js"
import { expectSame } from "./expect.js"
import * as sample from "./samples.js"

function* insertCategory(): Program<void> {
  yield* insert(categories, sample.category())
}

export const sharedSnapshot: ReadonlyArray<Claim<DirectStorage>> = [
  {
    claim:
      "reads with a shared snapshot run at once, and see the writes of their own storage " +
      "before and in between",
    check: Effect.gen(function* () {
      const port = yield* direct
      const isThere = (id: number) => {
        const found = port.read(() => get(categories, id))
        return Either.isRight(found) && found.right !== undefined
      }
      const seen: Array<boolean> = []
      port.write(insertCategory)
      port.withSharedSnapshot(() => {
        seen.push(isThere(1), isThere(2))
        port.write(insertCategory)
        seen.push(isThere(2))
      })
      yield* Effect.promise(async () => port.submit(insertCategory))
      port.withSharedSnapshot(() => seen.push(isThere(3)))
      port.endSharedSnapshot()
      port.endSharedSnapshot()
      seen.push(isThere(3))
      yield* expectSame("what was there", seen, [true, false, true, true, true])
    })
  },
  {
    claim:
      "an error thrown among reads with a shared snapshot is rethrown, and later reads and " +
      "writes work",
    check: Effect.gen(function* () {
      const port = yield* direct
      const defect = new Error("a mistake of the reader")
      let thrown: unknown
      try {
        port.withSharedSnapshot(() => {
          port.read(() => get(categories, 1))
          throw defect
        })
      } catch (caught) {
        thrown = caught
      }
      yield* expectSame("what was thrown is it", thrown === defect, true)
      const written = port.write(insertCategory)
      yield* expectSame("the write succeeded", Either.isRight(written), true)
      const found = port.read(() => get(categories, 1))
      yield* expectSame("it is there", Either.isRight(found) && found.right !== undefined, true)
    })
  }
]
