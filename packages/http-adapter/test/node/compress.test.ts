import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { serve, type Serving } from "../../src/index.js"
import { codingFor } from "../../src/node/compress.js"
import { openShop, type ShopServer } from "../ShopServer.js"

let shop: ShopServer
let serving: Serving

beforeEach(async () => {
  shop = await openShop()
  serving = await serve(shop.store, { port: 0 })
  for (let n = 0; n < 60; n++) await shop.store.pets.create({ name: `Pet ${n}`, categoryId: 1 })
  await shop.store.categories.create({ name: "Long", description: "long ".repeat(400) })
})

afterEach(() => serving.close())

type Got = {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly bytes: Buffer
}

/** As the bytes come: `fetch` would decode them. */
const get = (path: string, headers: Record<string, string> = {}, method = "GET", body?: string) =>
  new Promise<Got>((resolve, reject) => {
    const { port } = new URL(serving.url)
    const asked = request({
      port,
      path,
      method,
      headers: {
        "x-api-key": shop.key,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      }
    })
    asked.on("error", reject)
    asked.on("response", (response) => {
      const pieces: Array<Buffer> = []
      response.on("data", (piece: Buffer) => pieces.push(piece))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(pieces)
        })
      )
    })
    asked.end(body)
  })

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }

describe("encoded answers", () => {
  it.each(["br", "gzip"] as const)("are the same as the plain ones, in %s", async (coding) => {
    const plain = await get("/pets")
    const encoded = await get("/pets", { "accept-encoding": coding })
    expect(plain.headers).not.toHaveProperty("content-encoding")
    expect(encoded.headers).toMatchObject({
      "content-encoding": coding,
      "content-length": String(encoded.bytes.length),
      "content-type": "application/json"
    })
    for (const { headers } of [plain, encoded]) expect(headers["vary"]).toBe("Accept-Encoding")
    expect(encoded.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(DECODE[coding](encoded.bytes)).toEqual(plain.bytes)
  })

  it("are the headers of HEAD too, without the body", async () => {
    const headers = { "accept-encoding": "gzip" }
    const [whole, head] = [await get("/pets", headers), await get("/pets", headers, "HEAD")]
    expect(head.bytes).toHaveLength(0)
    for (const name of ["content-length", "content-encoding", "vary", "link"]) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
  })

  it("are made from 1 KiB on; what is small, or has no body, goes as it is", async () => {
    const headers = { "accept-encoding": "gzip, br" }
    for (const [status, path] of [
      [200, "/pets/1"],
      [404, "/pets/999"],
      [200, "/pets?limit=10"]
    ] as const) {
      const small = await get(path, headers)
      expect([small.status, small.headers["content-encoding"], small.headers["vary"]]).toEqual([
        status,
        undefined,
        undefined
      ])
    }
    expect((await get("/pets/1", headers, "DELETE")).status).toBe(204)
  })

  it("of large bodies are made on another thread, and are right too", async () => {
    for (let n = 0; n < 100; n++) {
      await shop.store.categories.create({ name: `Kind ${n}`, description: `${n} `.repeat(500) })
    }
    const plain = await get("/categories?limit=100")
    expect(plain.bytes.length).toBeGreaterThan(65_536)
    for (const coding of ["br", "gzip"] as const) {
      const encoded = await get("/categories?limit=100", { "accept-encoding": coding })
      expect(DECODE[coding](encoded.bytes)).toEqual(plain.bytes)
    }
  })

  it("of files are kept", async () => {
    const headers = { "accept-encoding": "br" }
    const [first, again] = [
      await get("/openapi.json", headers),
      await get("/openapi.json", headers)
    ]
    expect(again.bytes).toEqual(first.bytes)
    expect(String(first.headers["etag"])).toMatch(/^"[0-9a-f]{32}-br"$/)
    const known = await get("/openapi.json", { "if-none-match": String(first.headers["etag"]) })
    expect([known.status, known.headers["etag"]]).toEqual([304, first.headers["etag"]])
  })

  it("are switched off by the host", async () => {
    await serving.close()
    serving = await serve(shop.store, { port: 0, compression: false })
    const { headers } = await get("/pets", { "accept-encoding": "gzip" })
    expect([headers["content-encoding"], headers["vary"]]).toEqual([undefined, undefined])
  })
})

describe("the tag of an encoded record", () => {
  it("differs from that of the plain record, and means the same state of it", async () => {
    const plain = await get("/categories/2")
    const encoded = await get("/categories/2", { "accept-encoding": "gzip" })
    expect([plain.headers["etag"], encoded.headers["etag"]]).toEqual(['"2-1"', '"2-1-gzip"'])
    const known = await get("/categories/2", { "if-none-match": '"2-1-gzip"' })
    expect([known.status, known.headers["etag"]]).toEqual([304, '"2-1-gzip"'])
    const rename = (tag: string) =>
      get("/categories/2", { "if-match": tag }, "PATCH", '{"name":"Longer"}')
    expect((await rename('"2-1-gzip"')).status).toBe(200)
    expect((await rename('"2-1-br"')).status).toBe(412)
    expect((await rename('"2-2-zip"')).status).toBe(412)
  })

  it("is distinguished from a request id of that name", async () => {
    const { headers } = await get("/categories/2", {
      "accept-encoding": "gzip",
      "x-request-id": "ETag"
    })
    expect([headers["etag"], headers["x-request-id"]]).toEqual(['"2-1-gzip"', "ETag"])
  })
})

describe("Accept-Encoding", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1, br;q=0.9", "gzip"],
    ["gzip;q=0", undefined],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["deflate, zstd", undefined],
    ["gzip;q=2, nonsense;;", undefined]
  ] as const)("%j is answered in %s", (field, coding) => expect(codingFor(field)).toBe(coding))
})
