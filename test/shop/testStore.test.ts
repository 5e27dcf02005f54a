import { InsufficientStock, KeyBanned, StorageError } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import { Crashed, openTestStore, type TestStoreOptions } from "@petstore/storage-memory"
import { describe, expect, onTestFinished, test } from "vitest"

const open = async (options: TestStoreOptions = {}) => {
  const store = await openTestStore(options)
  onTestFinished(() => store.close())
  const { id: categoryId } = await store.categories.create({ name: "Fish" })
  return { store, categoryId, add: (name: string) => store.pets.create({ name, categoryId }) }
}

/** A store with an account, served. */
const served = async (options: TestStoreOptions = {}) => {
  const shop = await open(options)
  const account = await shop.store.accounts.create({ name: "Ann", plan: "free" })
  const { key } = await shop.store.keys.create(account.id)
  const handler = toWebHandler(shop.store)
  const call = (
    path: string,
    init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> } = {}
  ) =>
    handler(
      new Request(`http://shop.test${path}`, {
        ...init,
        headers: { "x-api-key": key, ...init.headers }
      })
    )
  const statusOf = async (path: string) => (await call(path)).status
  return { ...shop, account, key, call, statusOf }
}

const names = async ({ store }: Awaited<ReturnType<typeof open>>) =>
  (await store.pets.list()).items.map((pet) => pet.name)

describe("seeds", () => {
  test("the same seed makes the same keys, another one others", async () => {
    const [one, same, other] = await Promise.all([
      served({ seed: 7 }),
      served({ seed: 7 }),
      served({ seed: 8 })
    ])
    expect(one.key).toBe(same.key)
    expect(one.key).not.toBe(other.key)
  })

  test("two runs with one seed give the same answers to the byte, refusals and request ids included", async () => {
    const run = async (seed: number) => {
      const { store, account, call } = await served({ seed })
      const json = { "content-type": "application/json" }
      const told: Array<string> = []
      const tell = async (path: string, init: Parameters<typeof call>[1] = {}) => {
        const answer = await call(path, init)
        told.push(JSON.stringify([answer.status, [...answer.headers], await answer.text()]))
      }
      await tell("/pets", {
        method: "POST",
        body: '{"name":"Goldie","categoryId":1}',
        headers: json
      })
      await tell("/pets", { method: "POST", body: "{", headers: json })
      await tell("/pets/1")
      await tell("/pets/9", { headers: { accept: "application/problem+json" } })
      store.failWrite(1, "Busy")
      await tell("/store/orders", { method: "POST", body: '{"petId":1}', headers: json })
      store.advance("1 hour")
      await tell("/store/orders", { method: "POST", body: '{"petId":1}', headers: json })
      const rotated = await store.keys.rotate(1, { overlapMs: 1_000 })
      await tell("/pets?limit=1", { headers: { "x-api-key": rotated.key } })
      for (let count = 0; count < 60; count++) await tell("/categories")
      await store.advanceToNextReset(account.id)
      await tell("/nowhere")
      const events = await call("/events", { headers: { "x-stability-opt-in": "experimental" } })
      await store.categories.create({ name: "Cats" })
      const reader = events.body?.getReader()
      for (let piece = 0; piece < 2; piece++) told.push(String((await reader?.read())?.value))
      await reader?.cancel()
      return told
    }
    const told = await run(7)
    expect(told).toHaveLength(70)
    expect(await run(7)).toEqual(told)
    expect(await run(8)).not.toEqual(told)
  })

  test("a store that goes back, and a fork, have a feed of another name, the same one in each run", async () => {
    const run = async () => {
      const { store } = await open({ seed: 7 })
      const fork = await store.fork()
      onTestFinished(() => fork.close())
      const names = [await store.changes.epoch(), await fork.changes.epoch()]
      for (const each of [store, fork, store]) {
        await each.reset()
        names.push(await each.changes.epoch())
      }
      return names
    }
    const names = await run()
    expect(new Set(names).size).toBe(5)
    expect(await run()).toEqual(names)
  })
})

describe("time", () => {
  test("does not move until it is moved, by durations or to instants", async () => {
    const { store } = await open({ now: "2026-03-01T00:00:00Z" })
    expect(store.nowMs()).toBe(Date.UTC(2026, 2, 1))
    store.advance("1 day")
    store.advance(1_500)
    expect(store.nowMs()).toBe(Date.UTC(2026, 2, 2, 0, 0, 1, 500))
    store.advanceTo("Wed, 01 Dec 2027 00:00:00 GMT")
    expect(store.nowMs()).toBe(Date.UTC(2027, 11, 1))
  })

  test("does not go back, and what is no time is refused by name", async () => {
    const { store } = await open()
    expect(() => store.advanceTo("2025-01-01T00:00:00Z")).toThrow("can't be moved back")
    expect(() => store.advance(-1)).toThrow("expected milliseconds")
    expect(() => store.advance(Number.NaN)).toThrow("expected milliseconds")
    expect(() => store.advanceTo("tomorrow")).toThrow('got "tomorrow"')
  })

  test("limits open again at the next reset, and not a millisecond earlier", async () => {
    const { store, account, statusOf } = await served()
    for (let count = 0; count < 60; count++) expect(await statusOf("/pets")).toBe(200)
    expect(await statusOf("/pets")).toBe(429)
    const beforeMs = store.nowMs()
    await store.advanceToNextReset(account.id)
    expect(store.nowMs() - beforeMs).toBe(60_000)
    expect(await statusOf("/pets")).toBe(200)
  })

  test("a caller that does not wait is banned, until the end of the ban", async () => {
    const { store, account, statusOf } = await served()
    await expect(store.advanceToEndOfBan(account.id)).rejects.toThrow("is not banned")
    for (let count = 0; count < 60; count++) await statusOf("/pets")
    await statusOf("/pets")
    store.advance("2 seconds")
    for (let strikes = 0; strikes < 10; strikes++) await statusOf("/pets")
    expect(await statusOf("/pets")).toBe(403)
    await store.advanceToEndOfBan(account.id)
    expect(await statusOf("/pets")).toBe(200)
  })

  test("what is to go is gone once its sunset is reached", async () => {
    const { store, add, key } = await served()
    await add("Goldie")
    const handler = toWebHandler(store, { afterSunset: "enforce" })
    const get = () =>
      handler(new Request("http://shop.test/pets/1", { headers: { "x-api-key": key } }))
    const answer = await get()
    store.advanceToSunset(answer)
    expect(store.nowMs()).toBe(Date.parse(answer.headers.get("sunset") ?? ""))
    expect((await get()).status).toBe(410)
    expect(() => store.advanceToSunset(new Response())).toThrow("no Sunset field")
  })
})

describe("snapshots", () => {
  test("restoring brings back records, counts, time and the next key, as often as one likes", async () => {
    const shop = await served()
    const { store, account, statusOf } = shop
    await shop.add("Goldie")
    expect(await statusOf("/pets")).toBe(200)
    const before = await store.snapshot()
    const used = (await store.limits.get(account.id)).minute.used
    const keys: Array<string> = []
    for (let round = 0; round < 3; round++) {
      await shop.add(`Fish of round ${round}`)
      await store.pets.remove(1)
      for (let count = 0; count < 70; count++) await statusOf("/pets")
      keys.push((await store.keys.create(account.id)).key)
      store.advance("3 days")
      await store.restore(before)
      expect(await names(shop)).toEqual(["Goldie"])
      expect((await store.limits.get(account.id)).minute.used).toBe(used)
      expect(store.nowMs()).toBe(before.nowMs)
    }
    expect(new Set(keys).size).toBe(1)
  })

  test("a key that was revoked after the snapshot works again, though the authenticator had seen it revoked", async () => {
    const { store, statusOf } = await served()
    const before = await store.snapshot()
    await store.keys.revoke(1)
    expect(await statusOf("/pets")).toBe(401)
    await store.restore(before)
    expect(await statusOf("/pets")).toBe(200)
  })

  test("callers without a key are unknown again too", async () => {
    const { store } = await served()
    const before = await store.snapshot()
    const handler = toWebHandler(store)
    const status = async () => (await handler(new Request("http://shop.test/pets"))).status
    for (let count = 0; count < 60; count++) expect(await status()).toBe(401)
    expect(await status()).toBe(429)
    await store.restore(before)
    expect(await status()).toBe(401)
  })

  test("a fork has everything and shares nothing", async () => {
    const shop = await served()
    await shop.add("Goldie")
    const fork = await shop.store.fork()
    onTestFinished(() => fork.close())
    await shop.add("Minka")
    const rex = await fork.pets.create({ name: "Rex", categoryId: shop.categoryId })
    fork.advance("1 day")
    expect(rex.id).toBe(2)
    expect(await names(shop)).toEqual(["Goldie", "Minka"])
    expect(await names({ ...shop, store: fork })).toEqual(["Goldie", "Rex"])
    expect(fork.nowMs() - shop.store.nowMs()).toBe(86_400_000)
  })

  test("reset empties the store, ids begin at 1 again, and nothing is planned", async () => {
    const shop = await open()
    await shop.add("Goldie")
    shop.store.failWrite(1, "Busy")
    await shop.store.reset()
    expect(await shop.store.categories.create({ name: "Cats" })).toMatchObject({ id: 1 })
    expect(await names(shop)).toEqual([])
  })
})

describe("faults", () => {
  test("the nth write fails as planned and writes nothing; the others are as ever", async () => {
    const shop = await open()
    shop.store.failWrite(2, "Busy")
    shop.store.failWrite(3, "Full")
    await shop.add("one")
    await expect(shop.add("two")).rejects.toMatchObject({ _tag: "StorageError", reason: "Busy" })
    expect(() => shop.store.direct.pets.create({ name: "three", categoryId: 1 })).toThrow(
      StorageError
    )
    await shop.add("four")
    expect(await names(shop)).toEqual(["one", "four"])
  })

  test("reads, refused writes and the noting of last uses are not counted", async () => {
    const { store, add, statusOf } = await served()
    const pet = await add("Goldie")
    store.failWrite(1, "Busy")
    await store.pets.get(pet.id)
    expect(await statusOf("/pets")).toBe(200)
    await expect(store.orders.place({ petId: pet.id, quantity: 9 })).rejects.toBeInstanceOf(
      InsufficientStock
    )
    await expect(add("Minka")).rejects.toBeInstanceOf(StorageError)
  })

  test("over HTTP, a full disk is 507 and a busy one 503", async () => {
    const { store, call } = await served()
    const post = () =>
      call("/categories", {
        method: "POST",
        body: '{"name":"Cats"}',
        headers: { "content-type": "application/json" }
      })
    store.failWrite(1, "Full")
    store.failWrite(2, "Busy")
    expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([
      507, 503, 201
    ])
  })

  test("a crash before the commit loses the write, one after it loses the answer only", async () => {
    const shop = await open()
    shop.store.failWrite(1, "CrashBeforeCommit")
    shop.store.failWrite(2, "CrashAfterCommit")
    await expect(shop.add("lost")).rejects.toBeInstanceOf(Crashed)
    await expect(shop.add("kept")).rejects.toBeInstanceOf(Crashed)
    expect(await names(shop)).toEqual(["kept"])
  })

  test("a crash costs a caller its leased requests, and gives it none", async () => {
    const { store, account, statusOf } = await served()
    await statusOf("/pets")
    await statusOf("/pets")
    store.failWrite(1, "CrashBeforeCommit")
    await expect(store.categories.create({ name: "Cats" })).rejects.toBeInstanceOf(Crashed)
    expect((await store.limits.get(account.id)).minute.used).toBeGreaterThanOrEqual(2)
  })

  test("a repeated request after a crash behind the commit is answered as the first one, once", async () => {
    const { store, call } = await served()
    const post = () =>
      call("/categories", {
        method: "POST",
        body: '{"name":"Cats"}',
        headers: { "content-type": "application/json", "idempotency-key": "k-1" }
      })
    store.failWrite(1, "CrashAfterCommit")
    expect((await post()).status).toBe(500)
    const again = await post()
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"])
    expect((await store.categories.list()).items).toHaveLength(2)
  })

  test("a slow write is answered when its time has come, and what overtook it came first", async () => {
    const shop = await open()
    shop.store.failWrite(1, { latencyMs: 200 })
    let answered = false
    const slow = shop.add("slow").finally(() => (answered = true))
    await shop.add("quick")
    shop.store.advance(199)
    await Promise.resolve()
    expect(answered).toBe(false)
    shop.store.advance(1)
    expect(await slow).toMatchObject({ id: 2 })
    expect(await names(shop)).toEqual(["quick", "slow"])
  })

  test("the direct API waits by moving the clock", async () => {
    const { store } = await open()
    const beforeMs = store.nowMs()
    store.failWrite(1, { latencyMs: 200 })
    store.direct.categories.create({ name: "Cats" })
    expect(store.nowMs() - beforeMs).toBe(200)
  })

  test("restoring fails what is held up, instead of leaving it waiting for ever", async () => {
    const shop = await open()
    const before = await shop.store.snapshot()
    shop.store.failWrite(1, { latencyMs: 200 })
    const slow = shop.add("slow")
    await shop.store.restore(before)
    await expect(slow).rejects.toMatchObject({ reason: "Unavailable" })
  })

  test("restoring fails what a slow count holds up too", async () => {
    const { store, statusOf } = await served()
    const before = await store.snapshot()
    store.failCount(1, { latencyMs: 200 })
    const slow = statusOf("/pets")
    await new Promise((resolve) => setImmediate(resolve))
    await store.restore(before)
    expect(await slow).toBe(503)
  })

  test("a count that fails refuses its request as the storage says, and the next one is counted once", async () => {
    const { store, account, statusOf } = await served()
    store.failCount(1, "Busy")
    expect(await statusOf("/pets")).toBe(503)
    expect(await statusOf("/pets")).toBe(200)
    expect((await store.limits.get(account.id)).minute.used).toBe(1)
  })

  test("a crash behind a count costs the caller what was borrowed, one before it nothing", async () => {
    const { store, account, statusOf } = await served()
    const used = async () => (await store.limits.get(account.id)).minute.used
    store.failCount(1, "CrashBeforeCommit")
    expect(await statusOf("/pets")).toBe(500)
    expect(await used()).toBe(0)
    store.failCount(1, "CrashAfterCommit")
    expect(await statusOf("/pets")).toBe(500)
    expect(await used()).toBeGreaterThanOrEqual(1)
  })

  test("a slow count holds its request up until its time has come", async () => {
    const { store, statusOf } = await served()
    store.failCount(1, { latencyMs: 300 })
    let answered = false
    const status = statusOf("/pets").finally(() => (answered = true))
    await new Promise((resolve) => setImmediate(resolve))
    store.advance(299)
    await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    store.advance(1)
    expect(await status).toBe(200)
  })

  test("a plan for the zeroth write is refused", async () => {
    const { store } = await open()
    expect(() => store.failWrite(0, "Busy")).toThrow("1 for the next one")
  })
})

test("a ban shows as KeyBanned to callers in the same process as well", async () => {
  const { store, account, statusOf } = await served()
  for (let count = 0; count < 61; count++) await statusOf("/pets")
  store.advance("2 seconds")
  for (let strikes = 0; strikes < 10; strikes++) await statusOf("/pets")
  const admission = await store.engine.authenticator.admitAccount(account.id, "::1", store.nowMs())
  expect(admission.admitted ? undefined : admission.refusal).toBeInstanceOf(KeyBanned)
})
