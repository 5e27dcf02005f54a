import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, test } from "vitest"
import { startup } from "../../src/serve/startup.js"

const opened = () => PetStore.open({ storage: MemoryStorage.layer })

const WEEK_MS = 7 * 86_400_000

test("a demo key ends after a week, so that those of many starts do not pile up", async () => {
  await using store = await opened()
  await startup(store, { demo: true, plan: "enterprise" })
  await startup(store, { demo: true, plan: "enterprise" })
  const { items } = await store.keys.list()
  expect(items.map(({ name }) => name)).toEqual(["demo", "demo"])
  for (const { createdAt, expiresAt = "" } of items) {
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(WEEK_MS)
  }
})

test("a first key has no end", async () => {
  await using store = await opened()
  const { key } = await startup(store, { demo: false, plan: "pro" })
  expect(key).toMatchObject({ name: "first" })
  expect(key).not.toHaveProperty("expiresAt")
})

test("the demo account is found among any number of accounts", async () => {
  await using store = await opened()
  for (let number = 0; number < 150; number++) store.direct.accounts.create({ plan: "free" })
  const first = await startup(store, { demo: true, plan: "enterprise" })
  const second = await startup(store, { demo: true, plan: "enterprise" })
  const other = await startup(store, { demo: true, plan: "free" })
  expect([first, second, other].map(({ key }) => key?.accountId)).toEqual([151, 151, 152])
})
