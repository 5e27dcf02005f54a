import { Either } from "effect"
import { StorageError } from "@petstore/core"
import { describe, expect, it } from "vitest"
import { REQUEST_HEADERS } from "../../src/openapi/headers.js"
import { toWebHandler, type WebHandlerOptions } from "../../src/index.js"
import { type Init, JSON_BODY, openShop } from "../ShopServer.js"

const ORIGIN = "https://shop.example"

const open = async (cors: WebHandlerOptions["cors"], perMinute = 1_000_000) => {
  const shop = await openShop({ web: cors === undefined ? {} : { cors }, perMinute })
  const send = (target: string, init: Init = {}) =>
    shop.send(target, { ...init, headers: { origin: ORIGIN, ...init.headers } })
  return { shop, send }
}

const NEEDED = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "Deprecation",
  "Sunset",
  "Link",
  "ETag",
  "Location",
  "X-Request-Id",
  "X-API-Version",
  "X-Total-Count",
  "WWW-Authenticate",
  "Idempotent-Replayed"
]

const expectReadable = ({ headers }: Response, origin = ORIGIN) => {
  expect(headers.get("access-control-allow-origin")).toBe(origin)
  const exposed = headers.get("access-control-expose-headers")?.split(", ")
  expect(exposed).toEqual(expect.arrayContaining(NEEDED))
}

describe("a page of another origin", () => {
  it.each<[number, string, Init]>([
    [200, "/pets", {}],
    [201, "/categories", { method: "POST", headers: JSON_BODY, body: '{"name":"Cats"}' }],
    [204, "/pets/1", { method: "DELETE" }],
    [304, "/pets/1", { headers: { "if-none-match": '"1-1"' } }],
    [400, "/pets/abc", {}],
    [401, "/pets", { headers: { "x-api-key": "nonsense" } }],
    [404, "/nowhere", {}],
    [405, "/pets", { method: "DELETE" }],
    [406, "/pets", { headers: { accept: "text/html" } }],
    [413, "/pets", { method: "POST", headers: JSON_BODY, body: " ".repeat(1_048_577) }],
    [414, `/pets?${"a".repeat(9_000)}`, {}],
    [415, "/pets", { method: "POST", body: "{}" }],
    [200, "/health/live", {}],
    [200, "/openapi.json", {}]
  ])("can read a %i, with all header fields", async (status, target, init) => {
    const { send } = await open(ORIGIN)
    const response = await send(target, init)
    expect(response.status).toBe(status)
    expectReadable(response)
    expect(response.headers.get("vary")).toBe("Origin")
  })

  it("can read a 429 and a 500", async () => {
    const { shop, send } = await open(ORIGIN, 1)
    await send("/pets")
    const limited = await send("/pets")
    expect(limited.status).toBe(429)
    expectReadable(limited)
    const read = () => Either.left(new StorageError({ reason: "Unknown", detail: "" }))
    const { store, key } = await openShop()
    const broken = toWebHandler({ engine: { ...store.engine, read } }, { cors: "*" })
    const headers = { origin: ORIGIN, "x-api-key": key }
    const failed = await broken(new Request("http://shop.test/pets/1", { headers }))
    expect(failed.status).toBe(500)
    expectReadable(failed, "*")
    expect(failed.headers.has("vary")).toBe(false)
    expect(shop.key).not.toBe(key)
  })

  it("gets no CORS fields unless it is named", async () => {
    const { send } = await open(["https://a.example", ORIGIN])
    for (const origin of [
      "https://b.example",
      "https://shop.example.evil.example",
      "null",
      "HTTPS://SHOP.EXAMPLE"
    ]) {
      const response = await send("/pets", { headers: { origin } })
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
        200,
        null
      ])
      expect(response.headers.get("vary")).toBe("Origin")
    }
    const { send: closed } = await open(undefined)
    const headers = [...(await closed("/pets")).headers.keys()].filter((name) =>
      name.startsWith("access-")
    )
    expect(headers).toEqual([])
  })
})

describe("a preflight", () => {
  const preflight = { method: "OPTIONS", headers: { "access-control-request-method": "PUT" } }

  it.each(["/pets/1", "/nowhere", "/pets/", "/health/ready"])(
    "is free and answered for %s, so that the page can read what comes of the request",
    async (target) => {
      const { shop } = await open(ORIGIN)
      const response = await shop.sendBare(target, {
        ...preflight,
        headers: { origin: ORIGIN, ...preflight.headers }
      })
      expect(response.status).toBe(204)
      expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN)
      expect(response.headers.get("access-control-allow-methods")).toContain("PUT")
      expect(response.headers.get("access-control-allow-headers")).toMatch(
        /Idempotency-Key.*X-API-Key/
      )
      expect(response.headers.get("access-control-max-age")).toBe("7200")
    }
  )

  it("permits every header field that a request may have, and those of tracers", async () => {
    const { shop } = await open(ORIGIN)
    const { headers } = await shop.sendBare("/pets/1", {
      ...preflight,
      headers: { origin: ORIGIN, ...preflight.headers }
    })
    const permitted = headers.get("access-control-allow-headers")?.toLowerCase().split(", ")
    const described = Object.values(REQUEST_HEADERS).map(({ name }) => name.toLowerCase())
    const others = [
      "accept",
      "authorization",
      "content-type",
      "if-none-match",
      "x-api-key",
      "x-request-id"
    ]
    expect(permitted).toEqual(
      expect.arrayContaining([...described, ...others, "traceparent", "tracestate", "baggage"])
    )
  })

  it("costs its caller nothing", async () => {
    const { shop, send } = await open("*")
    const remaining = async () => (await send("/pets")).headers.get("x-ratelimit-remaining")
    const before = Number(await remaining())
    for (let n = 0; n < 5; n++) await send("/pets", preflight)
    expect(Number(await remaining())).toBe(before - 1)
    expect(shop.key).not.toBe("")
  })
})

describe("the option", () => {
  it.each([
    "shop.example",
    "https://shop.example/",
    "https://Shop.example",
    "https://a b",
    "ftp://a",
    ""
  ])("refuses %j at the start", async (cors) => {
    const { store } = await openShop()
    expect(() => toWebHandler(store, { cors })).toThrow(/cors: expected an origin such as/)
  })

  it.each(["https://shop.example", "http://localhost:5173", "http://[::1]:80", "null", "*"])(
    "takes %s",
    async (cors) => {
      const { store } = await openShop()
      expect(() => toWebHandler(store, { cors })).not.toThrow()
    }
  )
})
