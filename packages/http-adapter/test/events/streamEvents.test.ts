import { StorageError } from "@petstore/core"
import { describe, expect, it } from "vitest"
import type { RequestReport } from "../../src/index.js"
import { errorOf } from "../ShopServer.js"
import { openEventShop, turns } from "./EventShop.js"

describe("the stream of events", () => {
  it("begins with the retry time and the id of its position, then has three lines for each change", async () => {
    const { feed, open } = await openEventShop()
    feed.add(2)
    const stream = await open()
    expect(await stream.news()).toBe("retry: 2000\nid: e1-2\n\n")
    feed.add(1, 'Re"x\n\u2028')
    const data =
      '{"sequence":3,"type":"pet.created","at":"2026-01-01T00:00:00.000Z","recordId":3,"revision":1,' +
      '"record":{"id":3,"name":"Re\\"x\\n\u2028","categoryId":1,"status":"available"}}'
    expect(await stream.news()).toBe(`id: e1-3\nevent: pet.created\ndata: ${data}\n\n`)
  })

  it("has no record and revision for a deletion, and never the record before or the caller", async () => {
    const { feed, open } = await openEventShop()
    const stream = await open()
    feed.addChange({
      sequence: 1,
      type: "category.deleted",
      at: "2026-01-01T00:00:00.000Z",
      recordId: 4,
      before: { id: 4, name: "Dogs" },
      accountId: 7,
      requestId: "secret"
    })
    expect(await stream.news()).toContain(
      'data: {"sequence":1,"type":"category.deleted","at":"2026-01-01T00:00:00.000Z","recordId":4}\n\n'
    )
  })

  it("has the header fields of every answer, and those that keep proxies from holding it back", async () => {
    const { open } = await openEventShop({ cors: "https://shop.example" })
    const { response } = await open("/events", { origin: "https://shop.example" })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-stability": "experimental",
      "x-ratelimit-remaining": "59",
      "x-api-version": "1.0.0",
      "access-control-allow-origin": "https://shop.example"
    })
    expect(response.headers.has("content-length")).toBe(false)
    expect(response.headers.has("x-request-id")).toBe(true)
  })

  it("reads a page per turn while readers catch up, so that other requests are answered in between", async () => {
    const { feed, open, send } = await openEventShop()
    feed.add(4_000)
    const streams = await Promise.all(Array.from({ length: 10 }, () => open("/events?after=0")))
    await turns(1)
    const before = feed.pages
    expect((await send("/categories")).status).toBe(200)
    await turns(3)
    expect(feed.pages - before).toBeLessThanOrEqual(5)
    expect(feed.pages).toBeGreaterThan(before)
    await turns(400)
    for (const stream of streams) expect(await stream.ids()).toHaveLength(4_000)
  })

  it("counts as one request, however long it lasts", async () => {
    const { store, feed, open, accountId } = await openEventShop()
    const stream = await open()
    feed.add(300)
    store.advance("30 seconds")
    expect(await stream.ids()).toHaveLength(300)
    expect((await store.limits.get(accountId)).minute.used).toBe(1)
  })

  it("answers HEAD with its header fields, and opens nothing", async () => {
    const { send, feed } = await openEventShop()
    const response = await send("/events", {}, "HEAD")
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/event-stream",
      ""
    ])
    expect(feed.wakes.size).toBe(0)
  })

  it("is for those who opt in, or all where the host says so", async () => {
    const { send } = await openEventShop({ experimental: false })
    expect(await errorOf(await send("/events"))).toMatch(/^403 stability_opt_in_required/)
    const response = await send("/events", { "x-stability-opt-in": "experimental" })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it("is served if Accept admits events, and not if it admits only JSON", async () => {
    const { send } = await openEventShop()
    for (const accept of [
      "text/event-stream",
      "text/*;q=0.1",
      "*/*",
      "text/html, text/event-stream"
    ]) {
      const response = await send("/events", { accept })
      expect([accept, response.status]).toEqual([accept, 200])
      await response.body?.cancel()
    }
    for (const accept of ["application/json", "text/html", "text/event-stream;q=0"])
      expect(await errorOf(await send("/events", { accept }))).toMatch(
        /^406 not_acceptable: Accept: expected text\/event-stream/
      )
    expect(await errorOf(await send("/pets", { accept: "text/event-stream" }))).toMatch(/^406/)
  })

  it("keeps its order and leaves nothing out where pages of the feed come in time", async () => {
    const { feed, open } = await openEventShop()
    feed.isSlow = true
    feed.add(400)
    const stream = await open("/events?after=0")
    await turns(30)
    feed.add(50)
    await turns(3)
    // While the page that does not have them yet is on its way.
    feed.add(50)
    await turns(30)
    expect(await stream.ids()).toEqual(Array.from({ length: 500 }, (_, n) => `e1-${n + 1}`))
  })
})

describe("the place where a stream begins", () => {
  it.each([
    ["after the id of the last event", "/events", { "last-event-id": "e1-3" }, ["e1-4", "e1-5"]],
    ["after a sequence", "/events?after=4", {}, ["e1-5"]],
    ["after the id of an event, in `after`", "/events?after=e1-3", {}, ["e1-4", "e1-5"]],
    ["after the id of an event, in `lastEventId`", "/events?lastEventId=e1-4", {}, ["e1-5"]],
    ["after a sequence, in `lastEventId`", "/events?lastEventId=4", {}, ["e1-5"]],
    [
      "after `lastEventId`, whatever `after` says",
      "/events?after=0&lastEventId=e1-4",
      {},
      ["e1-5"]
    ],
    [
      "after the header field, whatever the query says",
      "/events?after=0&lastEventId=e1-1",
      { "last-event-id": "e1-4" },
      ["e1-5"]
    ],
    ["after `after`, where `lastEventId` is empty", "/events?after=4&lastEventId=", {}, ["e1-5"]],
    ["at the very beginning", "/events?after=0", {}, ["e1-1", "e1-2", "e1-3", "e1-4", "e1-5"]],
    [
      "after the id, where both are given",
      "/events?after=0",
      { "last-event-id": "e1-4" },
      ["e1-5"]
    ],
    [
      "after a sequence, where the id is empty",
      "/events?after=4",
      { "last-event-id": "" },
      ["e1-5"]
    ],
    ["now, where neither is given", "/events", {}, []]
  ])("is %s", async (_, target, headers, expected) => {
    const { feed, open } = await openEventShop()
    feed.add(5)
    expect(await (await open(target, headers)).ids()).toEqual(expected)
  })

  it.each([
    ["garbage", "/events", { "last-event-id": "%00; drop" }],
    ["of another store", "/events", { "last-event-id": "e2-3" }],
    ["ahead of the store", "/events", { "last-event-id": "e1-9" }],
    ["beyond any number", "/events", { "last-event-id": `e1-${"9".repeat(15)}` }],
    ["not kept any more", "/events", { "last-event-id": "e1-1" }],
    ["garbage in the query", "/events?lastEventId=%00;%20drop", {}],
    ["of another store, in the query", "/events?after=e2-3", {}],
    ["of another store, from a polyfill", "/events?lastEventId=e2-3", {}],
    ["a sequence ahead of the store", "/events?after=9", {}],
    ["a sequence that is not kept any more", "/events?after=1", {}]
  ])("that is %s makes one resync, and the stream goes on", async (_, target, headers) => {
    const { feed, open } = await openEventShop()
    feed.add(5)
    feed.forgotten = 3
    const stream = await open(target, headers)
    const text = await stream.news()
    expect(text).toContain('id: e1-5\nevent: resync\ndata: {"sequence":5,"type":"resync"}\n\n')
    expect(text.split("event: ").length).toBe(2)
    // Nothing before it names the place after it: who is cut off in between would come back as if
    // told.
    expect(text.match(/^id: e1-5$/gm)).toHaveLength(1)
    feed.add(1)
    expect(await stream.ids()).toEqual(["e1-6"])
  })

  it.each([
    "after=-1",
    "after=x",
    "after=1.5",
    "after=",
    "after=1&after=2",
    "after=e1-",
    "after=e1-01",
    "after=e1-1-1",
    "after=%E2%80%A6-1",
    "lastEventId=e1-1&lastEventId=e1-2",
    "type=pet.lost",
    "type=resync",
    "type="
  ])("is refused with 400 for %s", async (query) => {
    const { send } = await openEventShop()
    expect(await errorOf(await send(`/events?${query}`))).toMatch(
      /^400 invalid_parameter: "?(after|type|lastEventId)/
    )
  })

  it("moves with a sign of life past what the filter leaves out", async () => {
    const { store, feed, open } = await openEventShop()
    const stream = await open("/events?type=order.placed&type=pet.deleted")
    await stream.news()
    feed.add(200)
    expect(await stream.news()).toBe("")
    store.advance("5 seconds")
    expect(await stream.news()).toBe(":\nid: e1-200\n\n")
    store.advance("5 seconds")
    expect(await stream.news()).toBe(":\n\n")
  })
})

describe("the life of a stream", () => {
  it("shows a sign of life after 5 s without an event at the latest, by one timer for all", async () => {
    const { store, feed, open } = await openEventShop()
    const [first, second] = [await open(), await open()]
    for (const stream of [first, second]) await stream.news()
    for (let second = 0; second < 3; second++) {
      store.advance("1 second")
      await turns()
    }
    feed.add(1)
    expect(await first.ids()).toEqual(["e1-1"])
    let silentSeconds = 0
    for (; silentSeconds < 20 && !first.text.includes(":\n\n"); silentSeconds++) {
      store.advance("1 second")
      await turns()
    }
    expect(silentSeconds).toBeGreaterThan(2)
    expect(silentSeconds).toBeLessThanOrEqual(5)
    expect(second.text).toContain(":\n\n")
    expect(feed.wakes.size).toBe(1)
  })

  it.each([
    ["revoked", "revoked_key"],
    ["disabled", "key_disabled"],
    ["expired", "expired_key"],
    ["banned", "key_banned"]
  ])("ends within a heartbeat once its key is %s", async (what, code) => {
    const { store, keyId, accountId, send, open } = await openEventShop({
      events: { heartbeatMs: 15_000 }
    })
    const short = await store.keys.create(accountId, { expiresAt: "2026-01-01T00:00:05Z" })
    const stream = await open("/events", what === "expired" ? { "x-api-key": short.key } : {})
    await stream.news()
    if (what === "revoked") await store.keys.revoke(keyId)
    if (what === "disabled") await store.keys.disable(keyId)
    if (what === "banned") {
      for (let n = 0; n < 60; n++) await send("/pets")
      store.advance("2 seconds")
      for (let n = 0; n < 10; n++) await send("/pets")
      expect((await store.limits.get(accountId)).bannedUntilMs).not.toBeNull()
    }
    for (let quarter = 0; quarter < 4; quarter++) {
      expect(stream.isDone).toBe(false)
      store.advance(3_750)
      await turns()
    }
    expect(stream.isDone).toBe(true)
    expect(await stream.news()).toContain(`: ${code}\n\n`)
  })

  it("ends when the host ends all, and when the store is closed", async () => {
    const { store, feed, handle, open } = await openEventShop()
    const first = await open()
    await turns()
    handle.endStreams()
    await turns()
    expect([first.isDone, feed.wakes.size]).toEqual([true, 0])
    const second = await open()
    await store.close()
    feed.tell()
    await turns()
    expect(second.isDone).toBe(true)
  })

  it("ends when the feed can't be read, and onError gets the cause", async () => {
    const told: Array<unknown> = []
    const { feed, open } = await openEventShop({ onError: (cause) => told.push(cause) })
    const stream = await open()
    feed.failure = new StorageError({ reason: "Corrupt", detail: "changes" })
    feed.tell()
    await turns()
    expect([stream.isDone, told]).toEqual([true, [feed.failure]])
    expect(stream.text).not.toContain("changes")
  })

  it("is over for all sides once its reader has cancelled it", async () => {
    const { feed, open } = await openEventShop()
    const stream = await open()
    await stream.cancel()
    expect(feed.wakes.size).toBe(0)
  })

  it("is over once the request's signal aborts, for hosts that do that", async () => {
    const { feed, handle, key } = await openEventShop()
    const ending = new AbortController()
    const { body } = await handle(
      new Request("http://shop.test/events", {
        headers: { "x-api-key": key },
        signal: ending.signal
      })
    )
    expect(feed.wakes.size).toBe(1)
    ending.abort()
    expect(feed.wakes.size).toBe(0)
    // It ends and does not fail: servers print the errors of streams.
    await expect(new Response(body).text()).resolves.toMatch(/^retry: /)
  })

  it("reads the rest of a page again if its reader can't take more", async () => {
    const { feed, send } = await openEventShop()
    feed.add(10_000, "x".repeat(200))
    const response = await send("/events?after=0")
    await turns(50)
    // Three times the high water mark is more than a batch above it.
    expect(feed.pages).toBeLessThan(10)
    const text = await new Response(
      response.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (piece, controller) => {
            controller.enqueue(piece)
            if (new TextDecoder().decode(piece).includes("id: e1-10000\n")) controller.terminate()
          }
        })
      )
    ).text()
    const ids = [...text.matchAll(/^id: e1-(\d+)\nevent/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, n) => n + 1))
  })

  it("is dropped when it takes nothing for 30 s, and costs no more than its buffer until then", async () => {
    const { store, feed, send } = await openEventShop()
    const response = await send("/events?after=0")
    feed.add(100_000)
    await turns(50)
    const { pages } = feed
    for (let at = 0; at < 29; at++) {
      store.advance("1 second")
      feed.tell()
      await turns()
    }
    expect([feed.pages, feed.wakes.size]).toEqual([pages, 1])
    for (let at = 0; at < 4; at++) {
      store.advance("1 second")
      await turns()
    }
    expect(feed.wakes.size).toBe(0)
    await expect(response.text()).rejects.toThrow("took nothing for too long")
  })
})

describe("the number of streams", () => {
  it("is bounded for an account with 429 and in all with 503, both saying when to come back", async () => {
    const { store, open, send, handle } = await openEventShop({
      events: { maxStreams: 3, maxStreamsPerAccount: 2 }
    })
    const first = await open()
    await open()
    const refused = await send("/events")
    expect(refused.headers.get("retry-after")).toBe("10")
    expect(await errorOf(refused)).toMatch(/^429 rate_limited: 2 event streams/)
    const { id } = await store.accounts.create({ name: "Bob", plan: "free" })
    const { key } = await store.keys.create(id, {})
    const other = () =>
      handle(new Request("http://shop.test/events", { headers: { "x-api-key": key } }))
    expect((await other()).status).toBe(200)
    const full = await other()
    expect(full.headers.get("retry-after")).toBe("10")
    expect(await errorOf(full)).toMatch(/^503 unavailable/)
    await first.cancel()
    expect((await other()).status).toBe(200)
  })
})

describe("the report of a stream", () => {
  it("is made once, when it ends, as answered, whoever ended it", async () => {
    const reports: Array<RequestReport> = []
    const { feed, open, send, handle } = await openEventShop({
      onRequest: (report) => reports.push(report)
    })
    const [left, ended] = [await open(), await open()]
    feed.add(1)
    await turns()
    expect(await (await send("/metrics")).text()).toContain("\npetstore_event_streams 2\n")
    reports.length = 0
    await left.cancel()
    handle.endStreams()
    await turns()
    expect(ended.isDone).toBe(true)
    expect(reports).toMatchObject([
      { operation: "streamEvents", status: 200, outcome: "answered", bytes: left.text.length },
      { operation: "streamEvents", status: 200, outcome: "answered", bytes: ended.text.length }
    ])
    for (const { streamMs, durationMs } of reports) {
      expect(streamMs).toBeGreaterThan(0)
      expect(durationMs).toBeGreaterThanOrEqual(0)
    }
    expect(await (await send("/metrics")).text()).toContain("\npetstore_event_streams 0\n")
  })
})
