/** What a storage promises of `isReady`, if it has it. */
import { Storage } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { write } from "./programs.js"
import * as sample from "./samples.js"

export const readiness: ReadonlyArray<Claim> = [
  {
    claim: "a storage that answers is ready, before its first write and after it",
    check: Effect.gen(function* () {
      const storage = yield* Storage
      yield* expectSame("before", storage.isReady?.() ?? true, true)
      yield* write(sample.foundation)
      yield* expectSame("after", storage.isReady?.() ?? true, true)
    })
  }
]
