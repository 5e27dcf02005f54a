import type { Storage, Usage } from "@petstore/core"
import { claims } from "@petstore/storage-conformance"
import { MemoryStorage } from "@petstore/storage-memory"
import { Effect, Exit, type Layer } from "effect"
import { expect, test } from "vitest"
import * as broken from "./brokenStorage.js"

/** The claims that the backend does not keep. */
const brokenClaims = async (
  layer: Layer.Layer<Storage | Usage>
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { claim, check } of claims) {
    const exit = await Effect.runPromiseExit(Effect.provide(check, layer))
    if (Exit.isFailure(exit)) found.push(claim)
  }
  return found
}

test("a backend that keeps every promise breaks no claim", async () => {
  expect(await brokenClaims(MemoryStorage.layer)).toEqual([])
})

test.each([
  {
    backend: "a backend that says it can't be reached while it answers",
    layer: broken.isNeverReady,
    claim: "a storage that answers is ready, before its first write and after it"
  },
  {
    backend: "a backend that keeps what was refused",
    layer: broken.keepsWhatWasRefused,
    claim:
      "a program that refuses after many writes leaves none of them, in any collection or index"
  },
  {
    backend: "a backend that runs other programs between two requests",
    layer: broken.interleaves,
    claim: "of 50 concurrent programs that want the last unit, exactly one gets it"
  },
  {
    backend: "a backend that runs other programs between two requests",
    layer: broken.interleaves,
    claim: "while units move from row to row, every program that reads both rows sees the same sum"
  },
  {
    backend: "a backend that gives the id of the last row again once it was removed",
    layer: broken.reusesIds,
    claim: "the id of a removed row is never assigned again, not even that of the last row"
  },
  {
    backend: "a backend that gives no number of a change back",
    layer: broken.burnsSequences,
    claim:
      "of many concurrent programs that append changes, those that succeed get 1, 2, 3 and so on, whatever refuses or throws between them"
  },
  {
    backend: "a backend that shows the second change before the first",
    layer: broken.showsLateChanges,
    claim:
      "a reader that continues after the last change it has seen misses none that is appended in the meantime"
  },
  {
    backend: "a backend that sorts by UTF-16 unit",
    layer: broken.sortsByUnit,
    claim:
      "texts are sorted by code point: upper case before lower, a text before its continuations, U+FFFF before emoji"
  },
  {
    backend: "a backend that repeats the last row of a page",
    layer: broken.repeatsRows,
    claim:
      "pages of any size have every row once and in order, also if many share a sort value or have none"
  },
  {
    backend: "a backend that skips what ties with the last row of a page",
    layer: broken.skipsTies,
    claim:
      "pages of any size have every row once and in order, also if many share a sort value or have none"
  },
  {
    backend: "a backend that lacks an index of one collection",
    layer: broken.lacksAnIndex,
    claim:
      "rows of every collection of the store are stored, found in each of its indexes, replaced and removed"
  },
  {
    backend: "a backend that counts beyond the bounds",
    layer: broken.countsTooMuch,
    claim:
      "bounds narrow a range by its sort column: the lower one is inclusive, the upper one exclusive"
  },
  {
    backend: "a backend that loses use",
    layer: broken.losesUse,
    claim: "of 50 concurrent modifications none is lost: each gets the result of another"
  }
])("$backend is found out by the claim that $claim", async ({ layer, claim }) => {
  const found = await brokenClaims(layer)
  expect(found).toContain(claim)
  expect(found.length).toBeLessThan(claims.length / 2)
})
