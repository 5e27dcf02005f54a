import { connect } from "node:net"
import { serve } from "@petstore/http-adapter"
import { describe, expect, onTestFinished, test } from "vitest"
import { STORAGES } from "./storages.js"

/** Sends bytes as they are and answers with all that comes back. */
const exchange = (url: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    let text = ""
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
    socket.on("close", () => resolve(text))
    // A server that refuses early may reset the connection while the rest is still on its way.
    socket.on("error", (error) => (text === "" ? reject(error) : resolve(text)))
    socket.end(bytes)
  })

describe.each(STORAGES)("a key, $name,", ({ openShop }) => {
  const open = async () => {
    const { store } = await openShop()
    const account = await store.accounts.create({ plan: "free" })
    const { key } = await store.keys.create(account.id)
    const { url, close } = await serve(store, { port: 0 })
    onTestFinished(close)
    return { url, key }
  }

  test.each<readonly [string, (key: string) => string | Buffer, RegExp]>([
    ["is empty", () => "X-API-Key:", /^HTTP\/1\.1 401 [\s\S]*invalid_key/],
    ["is blank", () => "X-API-Key:    ", /^HTTP\/1\.1 401 [\s\S]*invalid_key/],
    [
      "has a blank within",
      (key) => `X-API-Key: ${key.slice(0, 9)} ${key.slice(9)}`,
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ],
    [
      "is doubled",
      (key) => `X-API-Key: ${key}\r\nX-API-Key: ${key}`,
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ],
    [
      "is written twice",
      (key) => `X-API-Key: ${key}, ${key}`,
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ],
    [
      "differs from another",
      (key) => `X-API-Key: ${key}\r\nAuthorization: Bearer ${key}x`,
      /^HTTP\/1\.1 400 [\s\S]*invalid_parameter/
    ],
    [
      "has bytes beyond ASCII",
      (key) => Buffer.from(`X-API-Key: ${key.slice(0, -1)}\u00e9`, "latin1"),
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ],
    [
      "has UTF-8 in it",
      (key) => Buffer.from(`X-API-Key: ${key.slice(0, -1)}\u{1f436}`),
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ],
    ["has a NUL in it", (key) => `X-API-Key: ${key.slice(0, -1)}\u0000`, /^HTTP\/1\.1 400 /],
    [
      "is 10 KB long",
      () => `X-API-Key: ${"k".repeat(10_000)}`,
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ],
    ["is 1 MB long", () => `X-API-Key: ${"k".repeat(2 ** 20)}`, /^HTTP\/1\.1 431 [\s\S]*"code"/],
    ["is in a cookie", (key) => `Cookie: X-API-Key=${key}`, /^HTTP\/1\.1 401 [\s\S]*missing_key/],
    [
      "has another scheme",
      (key) => `Authorization: Basic ${key}`,
      /^HTTP\/1\.1 401 [\s\S]*invalid_key/
    ]
  ])("that %s", async (_, fields, expected) => {
    const { url, key } = await open()
    const line = "GET /pets HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n"
    const bytes = [Buffer.from(line), Buffer.from(fields(key)), Buffer.from("\r\n\r\n")]
    const text = await exchange(url, Buffer.concat(bytes))
    expect(text).toMatch(expected)
    expect(text).not.toContain(key.slice(0, 12))
  })

  test("in the query is none", async () => {
    const { url, key } = await open()
    for (const name of ["X-API-Key", "api_key", "access_token"]) {
      const response = await fetch(`${url}/pets?${name}=${key}`)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code: "missing_key" })
    }
  })
})
