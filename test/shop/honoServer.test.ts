/** The web handler under @hono/node-server, which makes the parts of a `Request` on demand. */
import { serve } from "@hono/node-server"
import { request as httpRequest } from "node:http"
import { connect } from "node:net"
import { PetStore } from "@petstore/core"
import { BodyAlreadyRead, toWebHandler, type WebHandlerOptions } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, onTestFinished, test, vi } from "vitest"

const MAX_BODY_BYTES = 64

type Host = (request: Request) => Promise<unknown>

/** Serves the store behind what the host does with each request first. */
const served = async (host: Host = () => Promise.resolve(), more: WebHandlerOptions = {}) => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const account = await store.accounts.create({ plan: "free" })
  const told: Array<unknown> = []
  const handler = toWebHandler(store, {
    identify: () => account.id,
    maxBodyBytes: MAX_BODY_BYTES,
    onError: (cause) => void told.push(cause),
    ...more
  })
  const port = await new Promise<number>((resolve) => {
    const fetch = (request: Request) => host(request).then(() => handler(request))
    const server = serve({ fetch, port: 0, hostname: "127.0.0.1" }, (at) => resolve(at.port))
    onTestFinished(async () => {
      server.close()
      await store.close()
    })
  })
  return { store, told, port }
}

/** Sends a body, in chunks unless its length is among the fields. */
const post = (port: number, body: string | Uint8Array, fields: Record<string, string> = {}) =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const headers = { "content-type": "application/json", connection: "close", ...fields }
    const sent = httpRequest({ port, path: "/categories", method: "POST", headers }, (response) => {
      const chunks: Array<string> = []
      response.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk))
      response.on("end", () => resolve({ status: response.statusCode, text: chunks.join("") }))
    })
    sent.on("error", reject)
    sent.write(body)
    sent.end()
  })

const CATS = '{"name":"Räuber “🐈”"}'
const declared = (body: string | Uint8Array) => ({
  "content-length": String(Buffer.byteLength(body))
})

test.each([
  ["of a declared length", declared],
  ["in chunks", () => ({})]
])("reads and refuses bodies %s", async (_, fieldsFor) => {
  const { port, told } = await served()
  const send = (body: string | Uint8Array) => post(port, body, fieldsFor(body))
  expect(await send(CATS)).toMatchObject({ status: 201, text: `{"id":1,${CATS.slice(1)}` })
  expect(await send(`{"name":"${"a".repeat(MAX_BODY_BYTES)}"}`)).toMatchObject({ status: 413 })
  expect(await send(new Uint8Array([0xff]))).toMatchObject({ status: 400 })
  expect(await send("\ufeff{}")).toMatchObject({ status: 400 })
  expect(told).toEqual([])
})

test("answers 500 where the host has taken the body, and the host is told", async () => {
  const { port, told } = await served(async (request) => request.body?.getReader())
  expect(await post(port, CATS, declared(CATS))).toMatchObject({ status: 500 })
  expect(told).toEqual([expect.any(BodyAlreadyRead)])
})

test("makes no body for a request that has none", async () => {
  const asked: Array<string> = []
  const { port } = await served((request) => {
    const server: object = Object.getPrototypeOf(request)
    Object.defineProperty(request, "body", {
      get: () => {
        asked.push(request.method)
        return Reflect.get(server, "body", request)
      }
    })
    return Promise.resolve()
  })
  expect((await fetch(`http://127.0.0.1:${port}/categories`)).status).toBe(200)
  expect(await post(port, CATS, declared(CATS))).toMatchObject({ status: 201 })
  expect(asked).toEqual([])
  expect(await post(port, CATS)).toMatchObject({ status: 201 })
  expect(asked).toContain("POST")
})

test("stores nothing of a body that breaks off, and goes on", async () => {
  const { port, store, told } = await served()
  await new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        "POST /categories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
          `Content-Length: ${Buffer.byteLength(CATS)}\r\n\r\n${CATS.slice(0, 9)}`
      )
      setImmediate(() => socket.destroy())
    })
    socket.on("close", () => resolve())
  })
  expect(await post(port, CATS, declared(CATS))).toMatchObject({ status: 201 })
  expect((await store.categories.list()).items).toHaveLength(1)
  expect(told).toEqual([])
})

test("a reader of events that goes away is gone for the store, and nothing is printed", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined)
  onTestFinished(() => print.mockRestore())
  const ends: Array<number> = []
  const { port } = await served(undefined, {
    experimental: true,
    onRequest: ({ streamMs }) => {
      if (streamMs !== undefined) ends.push(streamMs)
    }
  })
  const socket = connect(port, "127.0.0.1", () => {
    socket.write("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
  })
  socket.once("data", () => socket.destroy())
  await expect.poll(() => ends.length).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(print).not.toHaveBeenCalled()
})
