import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PetStore } from "@petstore/core"
import {
  type NodeHandlerOptions,
  toNodeHandler,
  toWebHandler,
  type WebHandlerOptions
} from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, onTestFinished, test } from "vitest"

const open = async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  onTestFinished(() => store.close())
  const account = await store.accounts.create({ name: "Ann", plan: "free" })
  const { key } = await store.keys.create(account.id, { name: "Till" })
  const serve = (options: WebHandlerOptions) => {
    const handler = toWebHandler(store, options)
    return (path: string, headers: Record<string, string> = {}) =>
      handler(new Request(`http://shop.test${path}`, { headers }))
  }
  return { store, account, key, serve }
}

const userOf = ({ headers }: Request) => Number(headers.get("x-user") ?? Number.NaN)

test("a request whose account the host knows is counted for that account, with no key", async () => {
  const { account, serve, store } = await open()
  const call = serve({ identify: () => account.id })
  const answer = await call("/pets")
  expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, "60"])
  expect((await store.limits.get(account.id)).minute.used).toBe(1)
})

test("a request the host doesn't know goes by its key, also when the host takes its time", async () => {
  const { account, key, serve } = await open()
  const call = serve({
    identify: async (from) => (Number.isNaN(userOf(from)) ? undefined : userOf(from))
  })
  expect((await call("/pets")).status).toBe(401)
  expect((await call("/pets", { "x-api-key": key })).status).toBe(200)
  expect((await call("/pets", { "x-user": String(account.id) })).status).toBe(200)
})

test("an account that isn't there is refused as an unknown key is", async () => {
  const { serve } = await open()
  const answer = await serve({ identify: () => 99 })("/pets")
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ code: "invalid_key" })
})

test.each([
  [
    "throws",
    () => {
      throw new Error("session store is down")
    }
  ],
  ["rejects", () => Promise.reject(new Error("session store is down"))]
])("a host's hook that %s is answered 500, and the host is told", async (_how, identify) => {
  const { serve } = await open()
  const told: Array<unknown> = []
  const answer = await serve({ identify, onError: (cause) => told.push(cause) })("/pets")
  expect([answer.status, told.length]).toEqual([500, 1])
  expect(await answer.text()).not.toContain("session store")
})

/** Serves the handler as Express mounts it: the path cut off, the whole of it kept beside. */
const mounted = async (options: NodeHandlerOptions) => {
  const { account, store } = await open()
  const handler = toNodeHandler(store, {
    basePath: "/shop",
    identify: () => account.id,
    ...options
  })
  const server = createServer((incoming, response) => {
    Object.assign(incoming, {
      originalUrl: incoming.url,
      url: incoming.url?.replace(/^\/shop/, "")
    })
    handler(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("a handler whose path the host cuts off answers, and its links have the whole path", async () => {
  const url = await mounted({})
  const answer = await fetch(`${url}/shop/pets?limit=1`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get("link")).toContain("</shop/pets?limit=1>")
})
