import { type OpenPetStore, StorageError } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { Either } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { handClock } from "./handClock.js"
import { STORAGES } from "./storages.js"

const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 10, 250)
const NOW_SECONDS = Math.floor(NOW_MS / 1_000)
const MINUTE_END = Date.UTC(2026, 0, 31, 12, 1) / 1_000
const DAY_END = Date.UTC(2026, 1, 1) / 1_000
const FREE = { limit: 60, reset: MINUTE_END }

const JSON_BODY = { "content-type": "application/json" }

const rateOf = ({ headers }: Response) => ({
  limit: Number(headers.get("x-ratelimit-limit")),
  remaining: Number(headers.get("x-ratelimit-remaining")),
  reset: Number(headers.get("x-ratelimit-reset"))
})

describe.each(STORAGES)("limits over HTTP, $name", ({ openShop }) => {
  const open = async (perMinute: number, perDay: number) => {
    const time = handClock(NOW_MS)
    const { store } = await openShop({ clock: time.clock })
    const account = await store.accounts.create({ plan: "enterprise", perMinute, perDay })
    const issued = await store.keys.create(account.id)
    const listen = async (engine: OpenPetStore["engine"] = store.engine) => {
      const { url, close } = await serve({ engine }, { port: 0 })
      onTestFinished(close)
      return url
    }
    const url = await listen()
    const send = (
      target: string,
      init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> } = {}
    ) => fetch(url + target, { ...init, headers: { "x-api-key": issued.key, ...init.headers } })
    return { store, account, issued, url, listen, send, time }
  }

  const REQUESTS: ReadonlyArray<
    readonly [number, string, Parameters<Awaited<ReturnType<typeof open>>["send"]>[1]?]
  > = [
    [200, "/pets/1"],
    [200, "/pets?limit=1"],
    [200, "/pets/1", { method: "HEAD" }],
    [201, "/categories", { method: "POST", headers: JSON_BODY, body: '{"name":"Cats"}' }],
    [204, "/categories/2", { method: "DELETE" }],
    [304, "/pets/1", { headers: { "if-none-match": '"1-1"' } }],
    [400, "/pets/abc"],
    [400, "/pets", { method: "POST", headers: JSON_BODY, body: "{" }],
    [404, "/pets/99"],
    [404, "/nowhere"],
    [405, "/pets", { method: "DELETE" }],
    [409, "/categories/1", { method: "DELETE" }],
    [412, "/pets/1", { method: "DELETE", headers: { "if-match": '"1-7"' } }],
    [413, "/pets", { method: "POST", headers: JSON_BODY, body: " ".repeat(1_048_577) }],
    [415, "/pets", { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }],
    [422, "/pets", { method: "POST", headers: JSON_BODY, body: "{}" }]
  ]

  test.each([
    ["minute", 50, 1_000, 50, MINUTE_END],
    ["day", 50, 40, 40, DAY_END]
  ])(
    "every status tells the limit, what remains and the reset of one and the same window: the %s",
    async (_, perMinute, perDay, limit, reset) => {
      const { send } = await open(perMinute, perDay)
      let used = 0
      for (const [status, target, init] of REQUESTS) {
        const response = await send(target, init)
        await response.arrayBuffer()
        expect([response.status, rateOf(response)]).toEqual([
          status,
          { limit, remaining: limit - ++used, reset }
        ])
      }
    }
  )

  test("429 describes the window that refuses, and waiting for Retry-After is enough", async () => {
    const { send, time } = await open(2, 100)
    for (const remaining of [1, 0])
      expect(rateOf(await send("/pets/1"))).toEqual({ limit: 2, remaining, reset: MINUTE_END })
    const refused = await send("/pets/1")
    expect([refused.status, rateOf(refused)]).toEqual([
      429,
      { limit: 2, remaining: 0, reset: MINUTE_END }
    ])
    expect(refused.headers.get("retry-after")).toBe("50")
    expect(await refused.json()).toEqual({
      code: "rate_limited",
      message: "the limit of 2 requests a minute is reached: retry after 50 s",
      status: 429
    })
    time.pass(50_000)
    expect((await send("/pets/1")).status).toBe(200)
  })

  test("with 59 used and 100 concurrent requests, one is served, and the remaining count is never below zero", async () => {
    const { send } = await open(60, 1_000)
    for (let request = 0; request < 59; request++) await send("/pets/1")
    const answers = await Promise.all(Array.from({ length: 100 }, () => send("/pets/1")))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 99 }, () => 429)
    ])
    for (const answer of answers)
      expect(rateOf(answer)).toEqual({ limit: 60, remaining: 0, reset: MINUTE_END })
  })

  test("a caller that keeps sending is banned: 403 with the rest of the ban, until its very end", async () => {
    const { send, time, store, account } = await open(1, 100)
    await send("/pets/1")
    for (let second = 0; second < 10; second++) {
      expect((await send("/pets/1")).status).toBe(429)
      time.pass(1_000)
    }
    const banned = await send("/pets/1")
    const untilSeconds = Math.floor((time.nowMs() + 120_000) / 1_000)
    expect([banned.status, banned.headers.get("retry-after")]).toEqual([403, "120"])
    expect(rateOf(banned)).toEqual({ limit: 1, remaining: 0, reset: MINUTE_END })
    expect(await banned.json()).toMatchObject({ code: "key_banned", status: 403 })
    time.set(untilSeconds * 1_000 - 1)
    const last = await send("/pets/1")
    expect([last.status, rateOf(last).reset]).toEqual([403, MINUTE_END + 120])
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThanOrEqual(
      MINUTE_END + 120 - untilSeconds
    )
    time.pass(1)
    expect((await send("/pets/1")).status).toBe(200)

    time.pass(1_000)
    for (let second = 0; second < 12; second++) {
      await send("/pets/1")
      time.pass(1_000)
    }
    expect((await send("/pets/1")).status).toBe(403)
    await store.limits.unban(account.id)
    time.pass(60_000)
    expect((await send("/pets/1")).status).toBe(200)
  })

  test("401 and 403 of a key have the limits of the address, which counts them with the plan free", async () => {
    const { store, issued, send } = await open(1_000, 10_000)
    const { key: revoked, id } = await store.keys.create(issued.accountId)
    await store.keys.revoke(id)
    const { key: disabled, id: other } = await store.keys.create(issued.accountId)
    await store.keys.disable(other)
    let used = 0
    for (const [status, code, key] of [
      [401, "invalid_key", "nonsense"],
      [401, "invalid_key", ""],
      [401, "revoked_key", revoked],
      [403, "key_disabled", disabled]
    ] as const) {
      const response = await send("/pets/1", { headers: { "x-api-key": key } })
      expect([response.status, rateOf(response)]).toEqual([
        status,
        { ...FREE, remaining: 60 - ++used }
      ])
      expect(await response.json()).toMatchObject({ code })
    }
    for (; used < 60; used++) await send("/pets/1", { headers: { "x-api-key": "nonsense" } })
    const response = await send("/pets/1", { headers: { "x-api-key": "nonsense" } })
    expect([response.status, rateOf(response)]).toEqual([429, { ...FREE, remaining: 0 }])
    expect((await send("/pets/1")).status).toBe(200)
  })

  test("500 of a handler that dies, at once or later, and of a storage that fails, carry the headers and count", async () => {
    const { store, issued, listen } = await open(50, 1_000)
    const boom = () => {
      throw new Error("planned by a test")
    }
    let used = 0
    for (const read of [
      boom,
      async () => boom(),
      () => Either.left(new StorageError({ reason: "Corrupt", detail: "planned by a test" }))
    ]) {
      const url = await listen({ ...store.engine, read })
      const response = await fetch(`${url}/pets/1`, { headers: { "x-api-key": issued.key } })
      expect([response.status, rateOf(response)]).toEqual([
        500,
        { limit: 50, remaining: 50 - ++used, reset: MINUTE_END }
      ])
    }
  })

  test("the reset is Unix time in whole seconds, in the future and no later than Retry-After", async () => {
    const { send } = await open(1, 100)
    await send("/pets/1")
    const { headers } = await send("/pets/1")
    const reset = Number(headers.get("x-ratelimit-reset"))
    expect(headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/)
    expect(reset).toBeGreaterThan(NOW_SECONDS)
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(reset - NOW_MS / 1_000)
  })
})
