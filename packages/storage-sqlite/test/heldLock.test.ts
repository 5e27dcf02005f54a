import { PetStore } from "@petstore/core"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { expect, onTestFinished, test } from "vitest"
import { SqliteStorage } from "../src/index.js"
import { aFile } from "./aFile.js"

/**
 * A store with one account of 60 a minute, and the file's write lock in other hands until
 * `release`.
 */
const lockedShop = async () => {
  const filename = aFile()
  const open = async () => {
    const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
    onTestFinished(() => store.close())
    return store
  }
  const store = await open()
  const { id } = await store.accounts.create({ plan: "enterprise", perMinute: 60, perDay: 60 })
  const { key } = await store.keys.create(id)
  const other = openSqlite(filename)
  onTestFinished(() => other.close())
  other.exec("BEGIN IMMEDIATE")
  const ask = async () => {
    const startedMs = performance.now()
    const presented = { apiKey: [key], authorization: [], address: "192.0.2.1" }
    const admission = await store.engine.authenticator.admit(presented, store.engine.nowMs())
    return { admission, tookMs: performance.now() - startedMs }
  }
  return { store, open, id, ask, release: () => other.exec("COMMIT") }
}

test("while another process holds the write lock, requests wait for it briefly, and are counted within the limit, and stored when it is free", async () => {
  const { store, id, ask, open, release } = await lockedShop()
  const first = await ask()
  expect(first.admission.admitted).toBe(true)
  expect(first.tookMs).toBeLessThan(2_000)
  const startedMs = performance.now()
  let admitted = 1
  for (let nth = 0; nth < 80; nth++) if ((await ask()).admission.admitted) admitted++
  expect(admitted).toBe(60)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  release()
  await store.close()
  const { day } = await (await open()).limits.get(id)
  expect(day.used).toBe(60)
}, 30_000)

test("a look at an account's limits waits for no write lock", async () => {
  const { store, id } = await lockedShop()
  const tookMs: Array<number> = []
  for (let attempt = 0; attempt < 5; attempt++) {
    const startedMs = performance.now()
    expect((await store.limits.explain(id)).day.used).toBe(0)
    expect((await store.limits.get(id)).day.used).toBe(0)
    tookMs.push(performance.now() - startedMs)
  }
  // The shortest: what a busy machine adds is not ours, and waiting would show in each.
  expect(Math.min(...tookMs)).toBeLessThan(200)
})
