/**
 * Bodies that the host has read, or has begun to read, before a handler of the store gets the
 * request.
 */
import { createServer, type IncomingMessage, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { PetStore } from "@petstore/core"
import { BodyAlreadyRead, toNodeHandler, toWebHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { describe, expect, onTestFinished, test } from "vitest"

const JSON_BODY = { "content-type": "application/json" }
const CATS = '{"name":"Cats"}'

const open = async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  onTestFinished(() => store.close())
  const account = await store.accounts.create({ plan: "free" })
  const told: Array<unknown> = []
  const options = { identify: () => account.id, onError: (cause: unknown) => void told.push(cause) }
  const isTold = () => {
    expect(told).toHaveLength(1)
    expect(told[0]).toBeInstanceOf(BodyAlreadyRead)
    expect(String(told[0])).toContain("was read before the store's handler got the request")
    return true
  }
  return { store, options, told, isTold }
}

describe("a web handler", () => {
  const post = (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> = CATS,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    new Request("http://shop.test/categories", {
      method: "POST",
      headers: { ...JSON_BODY, ...headers },
      body,
      ...DUPLEX
    })

  /** As servers hand requests over whose callers have declared the length of the body. */
  const postDeclared = (body: string | Uint8Array<ArrayBuffer> = CATS) =>
    post(body, { "content-length": String(body.length) })

  const READ: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
    "was read as JSON": (request) => request.json(),
    "was read as a text": (request) => request.text(),
    "is being read": async (request) => request.body?.getReader(),
    "was read in part": async ({ body }) => {
      const reader = body?.getReader()
      await reader?.read()
      reader?.releaseLock()
    },
    "was cancelled": async ({ body }) => body?.cancel()
  }

  test.each(Object.entries(READ))(
    "answers 500 where the body %s, and the host is told",
    async (_, read) => {
      for (const request of [post(), postDeclared()]) {
        const { store, options, isTold } = await open()
        await read(request)
        const answer = await toWebHandler(store, options)(request)
        expect([answer.status, await answer.json()]).toMatchObject([500, { code: "internal" }])
        expect(isTold()).toBe(true)
      }
    }
  )

  test("answers where the host has read a clone, and where it has called once before", async () => {
    const { store, options, told, isTold } = await open()
    const handler = toWebHandler(store, options)
    const request = post()
    expect(await request.clone().json()).toEqual({ name: "Cats" })
    expect((await handler(request)).status).toBe(201)
    expect(told).toEqual([])
    expect((await handler(request)).status).toBe(500)
    expect(isTold()).toBe(true)
  })

  test("answers where its own hook has read the body", async () => {
    const { store, options, isTold } = await open()
    const identify = async (request: Request) => (await request.text()).length && options.identify()
    const answer = await toWebHandler(store, { ...options, identify })(post())
    expect(answer.status).toBe(500)
    expect(isTold()).toBe(true)
  })

  test("reads no body that it needs not", async () => {
    const { store, options, told } = await open()
    const request = post()
    await request.text()
    const { status } = await toWebHandler(store, { ...options, identify: () => undefined })(request)
    expect([status, told]).toEqual([401, []])
  })

  test.each([
    ["too large", new Uint8Array(64).fill(32), 413],
    ["not UTF-8", new Uint8Array([0xff]), 400]
  ])(
    "answers a body that is %s, whatever its source does when it is cancelled",
    async (_, bytes, status) => {
      const { store, options } = await open()
      const source = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(bytes),
        cancel: () => Promise.reject(new Error("the source can't be cancelled"))
      })
      const answer = await toWebHandler(store, { ...options, maxBodyBytes: 32 })(post(source))
      expect(answer.status).toBe(status)
    }
  )

  test.each([
    ["larger than the bound", '{"name":"Cats and dogs and birds"}', 413],
    ["larger than was declared", '{"name":"Cats and dogs and birds"}', 413, "3"],
    ["not UTF-8", new Uint8Array([0xff]), 400],
    ["marked with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), 400],
    ["empty", "", 400]
  ])("refuses a body of a declared length that is %s", async (_, body, status, length?: string) => {
    const { store, options, told } = await open()
    const handler = toWebHandler(store, { ...options, maxBodyBytes: 32 })
    const declared = { "content-length": length ?? String(body.length) }
    expect((await handler(post(body, declared))).status).toBe(status)
    expect(told).toEqual([])
  })

  test("reads a body of a declared length, whatever is beyond ASCII", async () => {
    const { store, options } = await open()
    const name = "Räuber “🐈”"
    const body = new TextEncoder().encode(JSON.stringify({ name }))
    const answer = await toWebHandler(store, options)(postDeclared(body))
    expect([answer.status, await answer.json()]).toMatchObject([201, { name }])
  })

  test("rejects where a body of a declared length breaks off", async () => {
    const { store, options, told } = await open()
    const gone = new Error("the connection broke")
    const source = new ReadableStream<Uint8Array>({ pull: (each) => each.error(gone) })
    const request = post(source, { "content-length": "14" })
    await expect(toWebHandler(store, options)(request)).rejects.toBe(gone)
    expect(told).toEqual([])
  })

  test("answers 500 where its hook for addresses throws", async () => {
    const { store, options, told } = await open()
    const addressOf = () => {
      throw new Error("no socket")
    }
    const answer = await toWebHandler(store, { ...options, addressOf })(post())
    expect(answer.status).toBe(500)
    expect(told).toEqual([new Error("no socket")])
  })
})

/** For bodies that are streams. */
const DUPLEX = { duplex: "half" as const }

describe("a node handler", () => {
  /** Serves the store behind what the host does with each request first. */
  const served = async (before: (request: IncomingMessage) => Promise<unknown>) => {
    const shop = await open()
    const handler = toNodeHandler(shop.store, shop.options)
    const server = createServer((incoming, response) => {
      void before(incoming).then(() => handler(incoming, response))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { ...shop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  /** Sends the first part, and the others once it is out. */
  const post = (url: string, parts: ReadonlyArray<string>, headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(`${url}/categories`, {
        method: "POST",
        headers: { ...JSON_BODY, ...headers }
      })
      sent.on("response", (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on("error", reject)
      const [first = "", ...others] = parts
      sent.write(first, () => sent.end(others.join("")))
    })

  const READ: Readonly<Record<string, (request: IncomingMessage) => Promise<unknown>>> = {
    "was read": (request) => new Promise((resolve) => request.resume().once("end", resolve)),
    "was read in part": (request) =>
      new Promise((resolve) => request.once("data", () => resolve(request.pause()))),
    "is read by another listener": async (request) => request.on("readable", () => undefined),
    "is decoded by the host": async (request) => request.setEncoding("utf8")
  }

  test.each(Object.entries(READ))(
    "answers 500 where the body %s, and the host is told",
    async (_, read) => {
      const { url, isTold } = await served(read)
      expect(await post(url, ['{"name":', '"Cats"}'])).toBe(500)
      expect(isTold()).toBe(true)
    }
  )

  test("reads a body that the host has held back", async () => {
    const { url, told } = await served(async (request) => {
      request.pause()
      await new Promise((resolve) => setImmediate(resolve))
    })
    expect(await post(url, ['{"name":', '"Cats"}'])).toBe(201)
    expect(told).toEqual([])
  })

  test("knows a body that was found to be empty", async () => {
    const { url, told } = await served(READ["was read"] ?? (() => Promise.resolve()))
    expect(await post(url, [], { "transfer-encoding": "chunked" })).toBe(400)
    expect(told).toEqual([])
  })
})
