import { DirectStorage, PetStore, StorageError, Usage } from "@petstore/core"
import type { Admission } from "@petstore/core/adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { Context, Effect, Either, Layer } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { handClock } from "./handClock.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const MINUTE_END = NOON_MS / 1_000 + 60

/**
 * A store in memory, with an account on the plan pro, whose counts or records can't be asked while
 * `fails` says so.
 */
const openShop = async () => {
  const fails = { usage: false, reads: false }
  const failure = new StorageError({ reason: "Unavailable", detail: "planned by a test" })
  const storage = Layer.map(MemoryStorage.layer, (context) => {
    const usage = Context.get(context, Usage)
    const direct = Context.get(context, DirectStorage)
    return context.pipe(
      Context.add(Usage, {
        modify: (key, decide) => (fails.usage ? Effect.fail(failure) : usage.modify(key, decide))
      }),
      Context.add(DirectStorage, {
        ...direct,
        read: (program) => (fails.reads ? Either.left(failure) : direct.read(program))
      })
    )
  })
  const time = handClock(NOON_MS)
  const store = await PetStore.open({ storage, clock: time.clock })
  onTestFinished(() => store.close())
  const account = await store.accounts.create({ plan: "pro" })
  const { key } = await store.keys.create(account.id)
  const ask = async (): Promise<Admission> =>
    store.engine.authenticator.admit(
      { apiKey: [key], authorization: [], address: "192.0.2.1" },
      time.nowMs()
    )
  const askAs = async () =>
    store.engine.authenticator.admitAccount(account.id, "192.0.2.1", time.nowMs())
  return { fails, failure, time, ask, askAs }
}

test("while counts can't be read, a refusal has the last known state of the minute, not an unused account", async () => {
  const { fails, failure, ask } = await openShop()
  fails.usage = true
  expect(await ask()).toMatchObject({
    refusal: failure,
    rate: { window: "minute", limit: 300, remaining: 0, resetSeconds: MINUTE_END }
  })
  fails.usage = false
  let last = await ask()
  for (let nth = 0; nth < 9; nth++) last = await ask()
  expect(last.rate).toMatchObject({ limit: 300, remaining: 290 })
  fails.usage = true
  for (let nth = 0; nth < 300; nth++) {
    const next = await ask()
    if (!next.admitted) break
    last = next
  }
  expect(await ask()).toMatchObject({ refusal: failure, rate: last.rate })
})

test("for a minute without a known count, nothing remains", async () => {
  const { fails, ask, time } = await openShop()
  await ask()
  time.pass(60_000)
  fails.usage = true
  expect((await ask()).rate).toEqual({
    window: "minute",
    limit: 300,
    remaining: 0,
    resetSeconds: MINUTE_END + 60
  })
})

test("where a key or an account can't be looked up, no plan's numbers are shown", async () => {
  const { fails, failure, ask, askAs } = await openShop()
  fails.reads = true
  for (const refused of [await ask(), await askAs()]) {
    expect(refused).toMatchObject({
      refusal: failure,
      limits: { perMinute: 0, perDay: 0 },
      rate: { limit: 0, remaining: 0, resetSeconds: NOON_MS / 1_000 + 1 }
    })
  }
})
