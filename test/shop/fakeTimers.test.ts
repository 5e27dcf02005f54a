/** Stores, handlers and deliveries in tests that have replaced the platform's timers. */
import type { OpenPetStore } from "@petstore/core"
import { serve, toWebHandler } from "@petstore/http-adapter"
import { petStoreClient, webTransport } from "@petstore/http-adapter/client"
import { deliverWebhooks } from "@petstore/http-adapter/webhooks"
import { openTestStore } from "@petstore/storage-memory"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { FAKE_TIMERS } from "./fakeTimers.js"
import { FakeReceiver } from "./FakeReceiver.js"
import { STORAGES } from "./storages.js"

const keyOf = async (store: OpenPetStore): Promise<string> => {
  const account = await store.accounts.create({ name: "reader", plan: "free" })
  return (await store.keys.create(account.id, {})).key
}

/** An event stream of a web handler: a call answers with the next piece of its text. */
const eventsOf = async (store: OpenPetStore) => {
  const handler = toWebHandler(store, { experimental: true })
  const headers = { "x-api-key": await keyOf(store) }
  const { body } = await handler(new Request("http://shop.test/events", { headers }))
  if (body === null) throw new Error("no stream")
  const reader = body.getReader()
  const decoder = new TextDecoder()
  return async () => decoder.decode((await reader.read()).value)
}

describe.each(FAKE_TIMERS)("under $fakes", ({ install }) => {
  describe.each(STORAGES)("a store $name", ({ openShop }) => {
    test("answers every awaited write, alone, together and in a transaction", async () => {
      const { store } = await openShop()
      install()
      await store.categories.create({ name: "Birds" })
      const names = ["Cats", "Dogs", "Mice"]
      await Promise.all(names.map((name) => store.categories.create({ name })))
      await store.transact(function* (tx) {
        yield* tx.categories.create({ name: "Newts" })
        yield* tx.categories.create({ name: "Owls" })
      })
      expect((await store.categories.list()).items).toHaveLength(7)
    })

    test("can be opened, and closed with writes under way", async () => {
      install()
      const { store } = await openShop()
      const writing = store.categories.create({ name: "Birds" })
      await store.close()
      expect(await writing).toEqual({ id: 2, name: "Birds" })
    })

    test("sends its changes, also to readers of /events", async () => {
      const { store } = await openShop()
      install()
      const next = await eventsOf(store)
      expect(await next()).toContain("retry: ")
      for (let at = 0; at < 600; at++) store.direct.categories.create({ name: `Kind ${at}` })
      let text = ""
      while (!text.includes('"name":"Kind 599"')) text += await next()
      const told: Array<number> = []
      for await (const { sequence } of store.changes({ after: 0 }))
        if (told.push(sequence) === 602) break
      expect(told.at(-1)).toBe(602)
    })
  })

  test("a store for tests shows signs of life and delivers webhooks when advance gets there", async () => {
    const store = await openTestStore()
    onTestFinished(() => store.close())
    install()
    const next = await eventsOf(store)
    await next()
    store.advance("15 seconds")
    expect(await next()).toBe(":\n\n")

    const receiver = new FakeReceiver()
    receiver.reactions.push({ status: 500, detail: "" })
    await store.webhooks.create({ url: "https://shop.example/hooks" })
    await using _delivery = deliverWebhooks(store, { sender: receiver, onAttempt: receiver.note })
    await store.categories.create({ name: "Fish" })
    await receiver.attempted(1)
    store.advanceTo(receiver.attempts[0]?.nextMs ?? 0)
    await receiver.attempted(2)
    expect(receiver.attempts.map(({ outcome }) => outcome)).toEqual(["refused", "delivered"])
  })
})

test("a client whose waits move the clock of a store for tests waits for no limit", async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  FAKE_TIMERS[0]?.install()
  const startMs = store.nowMs()
  const waits: Array<number> = []
  const client = petStoreClient({
    transport: webTransport(toWebHandler(store)),
    key: await keyOf(store),
    sleep: async (ms) => {
      waits.push(ms)
      store.advance(ms)
    }
  })
  for (let call = 0; call < 61; call++) await client.categories.list()
  expect(waits).toHaveLength(1)
  expect(store.nowMs() - startMs).toBe(waits[0])
})

test("under vitest's defaults, a server answers, and closes", async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  FAKE_TIMERS[0]?.install()
  const server = await serve(store, { port: 0 })
  const headers = { "x-api-key": await keyOf(store), "content-type": "application/json" }
  const body = JSON.stringify({ name: "Fish" })
  const answer = await fetch(`${server.url}/categories`, { method: "POST", headers, body })
  expect([answer.status, await answer.json()]).toEqual([201, { id: 1, name: "Fish" }])
  await server.close()
})

test("the time of day of a store without a clock of its own is that of a replaced Date", async () => {
  const [inMemory] = STORAGES
  FAKE_TIMERS[0]?.install()
  vi.setSystemTime("2031-01-01T00:00:00Z")
  const store = (await inMemory?.openShop())?.store
  expect((await store?.accounts.create({ plan: "free" }))?.createdAt).toBe("2031-01-01T00:00:00Z")
})
