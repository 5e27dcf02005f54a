/** The clock of a store, in the form of a function. */
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, test } from "vitest"

test("a function can be the clock, and is called for each operation", async () => {
  let nowMs = Date.UTC(2030, 0, 1)
  await using store = await PetStore.open({ storage: MemoryStorage.layer, clock: () => nowMs })
  const first = await store.accounts.create({ plan: "free" })
  nowMs += 1_500
  const second = store.direct.accounts.create({ plan: "free" })
  expect([first.createdAt, second.createdAt]).toEqual([
    "2030-01-01T00:00:00Z",
    "2030-01-01T00:00:01.500Z"
  ])
})
