/** A long-lived signal remembers nothing of the calls that are over. */
import { getEventListeners } from "node:events"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import {
  fetchTransport,
  petStoreClient,
  type Transport,
  webTransport
} from "../../src/client/index.js"
import { serve, storeTransport, toWebHandler } from "../../src/index.js"
import { openEventShop, type EventShop } from "../events/EventShop.js"

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, "abort").length

/**
 * Warnings of this process, such as those of too many listeners. They are emitted a turn later.
 */
const warnings = () => {
  const told: Array<Error> = []
  const note = (warning: Error) => told.push(warning)
  process.on("warning", note)
  onTestFinished(() => void process.off("warning", note))
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return told
  }
}

const served = ({ store, feed }: EventShop) => ({ engine: { ...store.engine, feed } })

const TRANSPORTS: Readonly<Record<string, (shop: EventShop) => Promise<Transport>>> = {
  fetch: async (shop) => {
    const serving = await serve(served(shop), { port: 0 })
    onTestFinished(() => serving.close())
    return fetchTransport(serving.url)
  },
  "a web handler": async (shop) => webTransport(toWebHandler(served(shop))),
  "an open store": async (shop) => storeTransport(served(shop))
}

const open = async (transportOf: (shop: EventShop) => Promise<Transport>) => {
  const shop = await openEventShop()
  const transport = await transportOf(shop)
  return { ...shop, transport, client: petStoreClient({ transport, key: shop.key }) }
}

describe.each(Object.entries(TRANSPORTS))("a signal of many calls over %s", (_, transportOf) => {
  it("has at most one listener while they go on, however many, and none once they are over", async () => {
    const { client } = await open(transportOf)
    const any = vi.spyOn(AbortSignal, "any")
    onTestFinished(() => any.mockRestore())
    const told = warnings()
    const { signal } = new AbortController()
    const ofAll = client.withSignal(signal)
    for (let round = 0; round < 2; round++) {
      const calls = Array.from({ length: 25 }, () =>
        ofAll.withSignal(new AbortController().signal).categories.list()
      )
      expect(listenersOf(signal)).toBe(1)
      await Promise.all(calls)
      expect(listenersOf(signal)).toBe(0)
    }
    expect(any).not.toHaveBeenCalled()
    expect(await told()).toEqual([])
  })

  it("has none once calls have failed, and once streams were left", async () => {
    const { client, feed } = await open(transportOf)
    const told = warnings()
    const { signal } = new AbortController()
    const ofAll = client.withSignal(signal)
    feed.add(1)
    await expect(ofAll.categories.get(9)).rejects.toMatchObject({ code: "not_found" })
    const follow = async () => {
      for await (const _event of ofAll.events({ after: 0, signal })) break
    }
    await Promise.all(Array.from({ length: 20 }, follow))
    expect(listenersOf(signal)).toBe(0)
    await expect.poll(() => feed.wakes.size).toBe(0)
    expect(await told()).toEqual([])
  })

  it("given to the transport itself has none once its call is over", async () => {
    const { transport, key } = await open(transportOf)
    const told = warnings()
    const { signal } = new AbortController()
    const headers = { "x-api-key": key }
    const call = { method: "GET", target: "/pets", headers, body: undefined, signal }
    await Promise.all(Array.from({ length: 20 }, () => transport(call)))
    expect(listenersOf(signal)).toBe(0)
    expect(await told()).toEqual([])
  })
})

describe("the memory of a signal", () => {
  const collect = (): number => {
    setFlagsFromString("--expose-gc")
    const gc: () => void = runInNewContext("gc")
    gc()
    gc()
    return process.memoryUsage().heapUsed
  }

  it("is flat over 80,000 calls", async () => {
    const transport: Transport = async () => ({ status: 200, header: () => null, text: "[]" })
    const { signal } = new AbortController()
    const client = petStoreClient({ transport, key: "k" }).withSignal(signal)
    const call = async (times: number) => {
      for (let n = 0; n < times; n++) await client.withSignal(signal).pets.list()
    }
    await call(4_000)
    const before = collect()
    await call(80_000)
    // A dependant of AbortSignal.any is some 300 bytes; 80,000 of them are 24 MB.
    expect(collect() - before).toBeLessThan(4_000_000)
    expect(listenersOf(signal)).toBe(0)
  })
})
