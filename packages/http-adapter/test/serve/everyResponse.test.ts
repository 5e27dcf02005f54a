import { DEFAULT_BAN_POLICY, StorageError } from "@petstore/core"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { toWebHandler } from "../../src/index.js"
import { rateHeaders } from "../../src/fields/rateHeaders.js"
import { errorOf, type Init, JSON_BODY, openShop, type ShopServer } from "../ShopServer.js"

const INTEGER = /^\d+$/

/**
 * The window that the five fields describe together: limit, end and length must be of the same
 * window.
 */
const checkHeaders = (response: Response) => {
  const { headers } = response
  const nowSeconds = Date.now() / 1_000
  expect(headers.get("x-ratelimit-limit")).toMatch(INTEGER)
  expect(headers.get("x-ratelimit-remaining")).toMatch(INTEGER)
  expect(headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/)
  expect(headers.get("ratelimit-policy")).toMatch(/^"minute";q=\d+;w=60, "day";q=\d+;w=86400$/)
  const [, window, r, t] =
    /^"(minute|day)";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? []
  const [, q, w] =
    new RegExp(`"${window}";q=(\\d+);w=(\\d+)`).exec(headers.get("ratelimit-policy") ?? "") ?? []
  const told = {
    limit: Number(headers.get("x-ratelimit-limit")),
    remaining: Number(headers.get("x-ratelimit-remaining")),
    reset: Number(headers.get("x-ratelimit-reset")),
    lengthSeconds: Number(w)
  }
  expect([Number(q), Number(r)]).toEqual([told.limit, told.remaining])
  expect(told.remaining).toBeLessThanOrEqual(told.limit)
  // The response is up to a second old, and its times are in whole seconds.
  expect(told.reset).toBeGreaterThan(nowSeconds - 1)
  expect(Math.abs(told.reset - nowSeconds - Number(t))).toBeLessThan(2)
  expect(Number(t)).toBeGreaterThan(0)
  expect(Number(t)).toBeLessThanOrEqual(told.lengthSeconds)
  expect(headers.get("x-api-version")).toBe("1.0.0")
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get("cache-control")).toBe(
    response.status < 400 ? "private, no-cache" : "no-store"
  )
  return told
}

/** The same store with parts of its engine replaced. */
const broken = (
  shop: ShopServer,
  parts: Partial<ShopServer["store"]["engine"]>,
  failures: Array<unknown> = []
) => {
  const engine = { ...shop.store.engine, ...parts }
  const handle = toWebHandler({ engine }, { onError: (cause) => failures.push(cause) })
  return (target: string, method = "GET") =>
    handle(new Request(`http://shop.test${target}`, { method, headers: { "x-api-key": shop.key } }))
}

const failing = (reason: StorageError["reason"]) => () => {
  throw new StorageError({ reason, detail: "/var/secret.db: disk I/O error" })
}

describe("every API response, of any status, carries the headers", () => {
  it.each<[number, string, Init]>([
    [200, "/pets/1", {}],
    [200, "/pets", {}],
    [200, "/pets/1", { method: "HEAD" }],
    [201, "/pets", { method: "POST", headers: JSON_BODY, body: '{"name":"a","categoryId":1}' }],
    [204, "/pets/2", { method: "DELETE" }],
    [304, "/pets/1", { headers: { "if-none-match": '"1-1"' } }],
    [400, "/pets/abc", {}],
    [400, "/pets?%", {}],
    [400, "/pets", { method: "POST", headers: JSON_BODY, body: "{" }],
    [401, "/pets", { headers: { "x-api-key": "nonsense" } }],
    [401, "/nowhere", { headers: { "x-api-key": "nonsense" } }],
    [404, "/pets/99", {}],
    [404, "/nowhere", {}],
    [405, "/pets", { method: "DELETE" }],
    [409, "/categories/1", { method: "DELETE" }],
    [412, "/pets/1", { method: "DELETE", headers: { "if-match": '"1-7"' } }],
    [413, "/pets", { method: "POST", headers: JSON_BODY, body: " ".repeat(1_048_577) }],
    [415, "/pets", { method: "POST", body: "{}" }],
    [422, "/pets", { method: "POST", headers: JSON_BODY, body: "{}" }]
  ])("%i from %s", async (status, target, init) => {
    const shop = await openShop()
    await shop.store.pets.create({ name: "Max", categoryId: 1 })
    const response = await shop.send(target, init)
    expect(response.status).toBe(status)
    checkHeaders(response)
  })

  it("429, with Retry-After in whole seconds until the reset it names", async () => {
    const shop = await openShop({ perMinute: 2 })
    expect((await shop.send("/pets")).headers.get("x-ratelimit-remaining")).toBe("1")
    expect((await shop.send("/nowhere")).headers.get("x-ratelimit-remaining")).toBe("0")
    const response = await shop.send("/pets/1")
    checkHeaders(response)
    expect(response.headers.get("x-ratelimit-remaining")).toBe("0")
    const retryAfter = Number(response.headers.get("retry-after"))
    expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true)
    expect(await errorOf(response)).toMatch(/^429 rate_limited/)
  })

  it("403 for a banned key, with the limit, length and reset of the minute, and the ban's end in Retry-After", async () => {
    const banPolicy = { ...DEFAULT_BAN_POLICY, strikes: 2, graceMs: 0 }
    const shop = await openShop({ perMinute: 1, open: { banPolicy } })
    let response = await shop.send("/pets")
    for (let nth = 0; nth < 9 && response.status !== 403; nth++) response = await shop.send("/pets")
    expect(checkHeaders(response)).toMatchObject({ limit: 1, remaining: 0, lengthSeconds: 60 })
    const reset = Number(response.headers.get("x-ratelimit-reset"))
    expect(reset % 60).toBe(0)
    const retryAfter = Number(response.headers.get("retry-after"))
    expect(retryAfter).toBeGreaterThanOrEqual(118)
    expect(retryAfter).toBeLessThanOrEqual(120)
    expect(await errorOf(response)).toMatch(/^403 key_banned: banned until 2\d{3}-/)
  })

  it("403 for a disabled key, with the limits of its address", async () => {
    const shop = await openShop()
    for (const { id } of (await shop.store.keys.list()).items) await shop.store.keys.disable(id)
    const response = await shop.send("/pets")
    expect(checkHeaders(response)).toMatchObject({ limit: 60, remaining: 59 })
    expect(await errorOf(response)).toMatch(/^403 key_disabled/)
  })

  it("500 when an operation dies, at once or later, without the cause", async () => {
    const shop = await openShop()
    const failures: Array<unknown> = []
    const dies = () => {
      throw new Error("secret: /var/lib/db")
    }
    for (const read of [dies, () => Promise.reject(new Error("secret: /var/lib/db"))]) {
      const response = await broken(shop, { read }, failures)("/pets/1")
      checkHeaders(response)
      expect(await errorOf(response)).toMatch(
        /^500 internal: something went wrong here; quote the X-Request-Id/
      )
    }
    expect(failures).toHaveLength(2)
  })

  it.each([
    ["Busy", "503 unavailable", "1"],
    ["Unavailable", "503 unavailable", "1"],
    ["Full", "507 storage_full", null],
    ["Corrupt", "500 internal", null]
  ] as const)(
    "a storage that is %s is %s, without its details",
    async (reason, expected, retryAfter) => {
      const shop = await openShop()
      const failures: Array<unknown> = []
      const error = new StorageError({ reason, detail: "/var/secret.db: disk I/O error" })
      const response = await broken(shop, { read: () => Either.left(error) }, failures)("/pets/1")
      checkHeaders(response)
      expect(response.headers.get("retry-after")).toBe(retryAfter)
      const message = await errorOf(response)
      expect(message).toMatch(new RegExp(`^${expected}`))
      expect(message).not.toContain("secret")
      expect(failures).toEqual([error])
    }
  )

  it("500 even when the host's own hook throws", async () => {
    const shop = await openShop()
    const engine = { ...shop.store.engine, read: failing("Unknown") }
    const onError = () => {
      throw new Error("no space left for the log")
    }
    const handle = toWebHandler({ engine }, { onError })
    const response = await handle(
      new Request("http://shop.test/pets/1", { headers: { "x-api-key": shop.key } })
    )
    expect(response.status).toBe(500)
  })

  it("500 even when the authenticator itself dies, saying nothing of limits it does not know", async () => {
    const shop = await openShop()
    const authenticator = { ...shop.store.engine.authenticator, admit: failing("Unknown") }
    const response = await broken(shop, { authenticator })("/pets")
    expect(checkHeaders(response)).toMatchObject({ limit: 0, remaining: 0 })
    expect(response.status).toBe(500)
  })

  it("500 of an authenticator that dies on a full second still has a reset in the future", () => {
    const nowMs = Date.UTC(2026, 0, 31, 12)
    expect(rateHeaders(undefined, nowMs)).toEqual([
      "X-RateLimit-Limit",
      "0",
      "X-RateLimit-Remaining",
      "0",
      "X-RateLimit-Reset",
      String(nowMs / 1_000 + 1),
      "RateLimit-Policy",
      '"minute";q=0;w=60, "day";q=0;w=86400',
      "RateLimit",
      '"minute";r=0;t=1'
    ])
  })
})

describe("request ids", () => {
  it("are taken where they are well formed, else made", async () => {
    const shop = await openShop()
    const idOf = async (sent: string) =>
      (await shop.send("/pets/1", { headers: { "x-request-id": sent } })).headers.get(
        "x-request-id"
      )
    expect(await idOf("abc-1.2_3")).toBe("abc-1.2_3")
    for (const sent of ["", "a b", "a,b", "x".repeat(129), "é"])
      expect(await idOf(sent), sent).not.toBe(sent)
    expect(await idOf("")).not.toBe(await idOf(""))
  })
})

describe("problem details", () => {
  it("have their own type and members beside ours, if they are requested", async () => {
    const shop = await openShop()
    const response = await shop.send("/pets/99", {
      headers: { accept: "application/problem+json" }
    })
    expect(response.headers.get("content-type")).toBe("application/problem+json")
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Not Found",
      detail: "there is no pet 99",
      code: "not_found",
      message: "there is no pet 99",
      status: 404
    })
  })
})
