import { StorageError } from "@petstore/core"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import {
  type ClientAnswer,
  type ClientOptions,
  fetchTransport,
  isPetStoreError,
  NoAnswer,
  petStoreClient,
  type ShopEvent,
  type Transport,
  UnexpectedAnswer,
  webTransport
} from "../../src/client/index.js"
import { serve, storeTransport } from "../../src/index.js"
import { type EventShop, openEventShop, turns } from "../events/EventShop.js"

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (failure: unknown) => failure
  )

const served = async ({ store, feed }: EventShop, port = 0) => {
  const serving = await serve({ engine: { ...store.engine, feed } }, { port })
  onTestFinished(() => serving.close())
  return serving
}

const TRANSPORTS: Readonly<Record<string, (shop: EventShop) => Promise<Transport>>> = {
  fetch: async (shop) => fetchTransport((await served(shop)).url),
  "a web handler": async ({ handle }) => webTransport(handle),
  "an open store": async ({ store, feed }) => storeTransport({ engine: { ...store.engine, feed } })
}

const take = async <A>(events: AsyncIterable<A>, count: number): Promise<ReadonlyArray<A>> => {
  const taken: Array<A> = []
  for await (const event of events) if (taken.push(event) === count) break
  return taken
}

describe.each(Object.entries(TRANSPORTS))("following events over %s", (_, transportOf) => {
  it("yields each change, typed, with an id to resume after, and closes the stream when the loop ends", async () => {
    const shop = await openEventShop()
    const client = petStoreClient({ transport: await transportOf(shop), key: shop.key })
    shop.feed.add(3)
    const [first, second] = await take(client.events({ after: 1 }), 2)
    expect([first?.sequence, first?.id, second?.id]).toEqual([2, "e1-2", "e1-3"])
    if (first?.type === "pet.created") expect(first.record.name).toBe("Rex")
    expect(await take(client.events({ after: "e1-2" }), 1)).toEqual([second])
    await expect.poll(() => shop.feed.wakes.size).toBe(0)
  })

  it("yields later changes of the requested types", async () => {
    const shop = await openEventShop()
    const client = petStoreClient({ transport: await transportOf(shop), key: shop.key })
    const taken = take(client.events({ types: ["category.deleted", "order.placed"] }), 1)
    await expect.poll(() => shop.feed.wakes.size).toBe(1)
    shop.feed.add(2)
    shop.feed.addChange({
      sequence: 3,
      type: "category.deleted",
      at: "2026-01-01T00:00:00.000Z",
      recordId: 4,
      before: { id: 4, name: "Dogs" }
    })
    const [event] = await taken
    const type: "category.deleted" | "order.placed" | "resync" | undefined = event?.type
    expect([type, event?.sequence]).toEqual(["category.deleted", 3])
  })

  it("throws the reason of a signal that aborts, also while nothing happens", async () => {
    const shop = await openEventShop()
    const client = petStoreClient({ transport: await transportOf(shop), key: shop.key })
    const ending = new AbortController()
    const taken = failureOf(take(client.events({ signal: ending.signal }), 1))
    await expect.poll(() => shop.feed.wakes.size).toBe(1)
    ending.abort(new Error("enough"))
    expect(await taken).toEqual(new Error("enough"))
    await expect.poll(() => shop.feed.wakes.size).toBe(0)
  })

  it("throws the reason of a signal that aborts between two events, before the second", async () => {
    const shop = await openEventShop()
    const client = petStoreClient({ transport: await transportOf(shop), key: shop.key })
    shop.feed.add(2)
    const ending = new AbortController()
    const iterator = client.events({ after: 0, signal: ending.signal })[Symbol.asyncIterator]()
    expect((await iterator.next()).value?.id).toBe("e1-1")
    ending.abort(new Error("enough"))
    await expect(iterator.next()).rejects.toThrow("enough")
    await expect.poll(() => shop.feed.wakes.size).toBe(0)
  })

  it("is refused as any call is", async () => {
    const shop = await openEventShop()
    const client = petStoreClient({ transport: await transportOf(shop), key: "ps_none" })
    expect(await failureOf(take(client.events(), 1))).toMatchObject({ code: "invalid_key" })
    const good = petStoreClient({ transport: await transportOf(shop), key: shop.key })
    const wrong = good.events({ types: ["pet.lost" as never] })
    expect(await failureOf(take(wrong, 1))).toMatchObject({ code: "invalid_parameter" })
  })

  it("resumes without a gap and without a repeat whenever the stream ends", async () => {
    const shop = await openEventShop()
    const client = petStoreClient({
      transport: await transportOf(shop),
      key: shop.key,
      sleep: async () => shop.feed.add(10)
    })
    shop.feed.add(10)
    const ids: Array<string> = []
    for await (const { id } of client.events({ after: 0 })) {
      ids.push(id)
      if (ids.length === 50) break
      // A feed that can't be read ends every stream; nothing of it is lost.
      if (ids.length % 10 !== 0) continue
      shop.feed.failure = new StorageError({ reason: "Busy", detail: "by this test" })
      shop.feed.tell()
      await turns()
      shop.feed.failure = undefined
    }
    expect(ids).toEqual(Array.from({ length: 50 }, (_, n) => `e1-${n + 1}`))
  })
})

type Script = ReadonlyArray<
  | "lost"
  | { readonly status: number; readonly code?: string; readonly retryAfter?: number | string }
  | { readonly chunks: ReadonlyArray<string>; readonly ending?: "cut" | "silence" }
>

/**
 * A client whose connections follow a script, and whose waits are noted instead of waited for; what
 * it sent is noted too.
 */
const scripted = (script: Script, more: Partial<ClientOptions> = {}, clientOf = petStoreClient) => {
  const waits: Array<number> = []
  const places: Array<string | undefined> = []
  const rest = [...script]
  async function* chunksOf(chunks: ReadonlyArray<string>, ending: "cut" | "silence" | undefined) {
    yield* chunks
    if (ending === "cut") throw new Error("connection reset")
    if (ending === "silence") await new Promise(() => undefined)
  }
  const transport: Transport = async ({ headers }): Promise<ClientAnswer> => {
    places.push(headers["last-event-id"])
    const next = rest.shift() ?? { status: 401, code: "revoked_key" }
    if (next === "lost") throw new Error("connection refused")
    if ("chunks" in next)
      return {
        status: 200,
        header: () => null,
        text: "",
        chunks: chunksOf(next.chunks, next.ending)
      }
    const { status, code, retryAfter } = next
    return {
      status,
      header: (name) =>
        name === "retry-after" && retryAfter !== undefined ? String(retryAfter) : null,
      text: code === undefined ? "<html>" : JSON.stringify({ code, message: "refused", status })
    }
  }
  const sleep = async (ms: number) => void waits.push(ms)
  const nowMs = () => Date.UTC(2026, 0, 1, 12)
  const client = clientOf({ transport, key: "ps_test", sleep, nowMs, random: () => 0, ...more })
  const all = async (silenceMs?: number) => {
    const sequences: Array<number> = []
    const failure = await failureOf(
      (async () => {
        for await (const { sequence } of client.events(
          silenceMs === undefined ? {} : { silenceMs }
        ))
          sequences.push(sequence)
      })()
    )
    return { sequences, failure }
  }
  return { all, waits, places, rest }
}

const event = (sequence: number): string =>
  `id: e1-${sequence}\nevent: pet.deleted\ndata: ${JSON.stringify({ sequence, type: "pet.deleted" } satisfies Partial<ShopEvent>)}\n\n`

afterEach(() => void vi.useRealTimers())

describe("a stream that ends, breaks or does not come", () => {
  it("is taken up again after its last id, as soon as the service has asked for, and without end", async () => {
    const { all, waits, places } = scripted([
      { chunks: ["retry: 700\nid: e1-4\n\n"] },
      { chunks: ["retry: 800\nid: e1-4\n\n", event(5), event(6).slice(0, 20)], ending: "cut" },
      { chunks: ["retry: 900\nid: e1-5\n\n", event(6), ":\nid: e1-9\n\n"] },
      { chunks: [event(10)] }
    ])
    const { sequences, failure } = await all()
    expect(sequences).toEqual([5, 6, 10])
    expect(places).toEqual([undefined, "e1-4", "e1-5", "e1-9", "e1-10"])
    expect(waits).toEqual([700, 800, 900, 125])
    expect(isPetStoreError(failure, "revoked_key")).toBe(true)
  })

  it("is retried less and less often while the service is away, and for as long as the loop runs", async () => {
    const { all, waits, rest } = scripted([
      { chunks: [event(1)] },
      ...Array.from({ length: 12 }, () => "lost" as const),
      { chunks: [event(2)] },
      { status: 502 },
      { status: 503, code: "shutting_down", retryAfter: 3 },
      { status: 500, code: "internal" }
    ])
    const { sequences } = await all()
    expect([sequences, rest]).toEqual([[1, 2], []])
    const [, ...grow] = waits
    expect(grow.slice(0, 4)).toEqual([250, 500, 1_000, 2_000])
    expect(Math.max(...waits)).toBe(15_000)
    expect(waits.slice(13)).toEqual([125, 250, 3_000, 1_000])
  })

  it("is waited for as a gateway asks, before there was one and after", async () => {
    const { all, waits } = scripted([
      { status: 503, retryAfter: "Thu, 01 Jan 2026 12:00:02 GMT" },
      { status: 429, retryAfter: 3 },
      { chunks: [event(1)] },
      { status: 503, retryAfter: "Thu Jan  1 12:00:04 2026" },
      { chunks: [event(2)] }
    ])
    expect((await all()).sequences).toEqual([1, 2])
    expect(waits).toEqual([2_000, 3_000, 125, 4_000, 125])
  })

  it.each(["{", "[]", "7", '{"sequence":"1","type":"resync"}', '{"sequence":1}'])(
    "with %s for an event is no stream of the shop's",
    async (data) => {
      const { all, waits } = scripted([{ chunks: [`id: e1-1\ndata: ${data}\n\n`] }])
      expect((await all()).failure).toBeInstanceOf(UnexpectedAnswer)
      expect(waits).toEqual([])
    }
  )

  it("that never began is given up after the tries of any call", async () => {
    const lost = scripted(Array.from({ length: 9 }, () => "lost" as const))
    expect((await lost.all()).failure).toBeInstanceOf(NoAnswer)
    expect(lost.waits).toHaveLength(4)
    const strange = scripted([{ status: 404 }])
    expect((await strange.all()).failure).toBeInstanceOf(UnexpectedAnswer)
    const whole = scripted([{ status: 200 }])
    expect((await whole.all()).failure).toBeInstanceOf(UnexpectedAnswer)
  })

  it("is not waited for where the wait is beyond its patience", async () => {
    const { all, waits } = scripted([
      { chunks: [event(1)] },
      { status: 429, code: "rate_limited", retryAfter: 40_000 }
    ])
    expect(isPetStoreError((await all()).failure, "rate_limited")).toBe(true)
    expect(waits).toHaveLength(1)
  })

  it("is dropped after too long a silence, without even a heartbeat", async () => {
    vi.useFakeTimers()
    // Timers are taken when a module is loaded, so a client that waits for these is loaded now.
    vi.resetModules()
    const { petStoreClient: clientOf } = await import("../../src/client/index.js")
    const script: Script = [{ chunks: [event(1)], ending: "silence" }, { chunks: [event(2)] }]
    const { all, places } = scripted(script, {}, clientOf)
    const told = all(45_000)
    await vi.advanceTimersByTimeAsync(44_999)
    expect(places).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await told).sequences).toEqual([1, 2])
    expect(places).toEqual([undefined, "e1-1", "e1-2"])
  })
})
