/**
 * The stream of events below a path of each host that the examples mount the store in: told at
 * once, resumed, and ended for a server that closes.
 */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { serve } from "@hono/node-server"
import { type OpenPetStore, PetStore } from "@petstore/core"
import { toNodeHandler, toWebHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { Effect, Exit, Layer, Scope } from "effect"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { expect, test } from "vitest"

/** A host that serves the store below /shop on a port. */
type Hosted = {
  readonly port: number
  readonly endStreams: () => void
  readonly close: () => Promise<unknown>
}

const COMMON = { basePath: "/shop", experimental: true }

const nodeHandler = (store: OpenPetStore) =>
  toNodeHandler(store, {
    ...COMMON,
    identify: ({ headers }: IncomingMessage) => Number(headers["x-user"])
  })

const webHandler = (store: OpenPetStore) =>
  toWebHandler(store, { ...COMMON, identify: ({ headers }) => Number(headers.get("x-user")) })

const portOf = (server: { readonly address: () => AddressInfo | string | null }): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

/**
 * Closes as a host does that waits for its connections, and fails where one keeps it from closing.
 */
const closed = (server: { readonly close: (done: (problem?: Error) => void) => unknown }) =>
  new Promise<void>((resolve, reject) => {
    server.close((problem) => (problem === undefined ? resolve() : reject(problem)))
  })

const HOSTS: Readonly<Record<string, (store: OpenPetStore) => Promise<Hosted>>> = {
  "node:http": async (store) => {
    const shop = nodeHandler(store)
    const server = createServer(shop)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return { port: portOf(server), endStreams: shop.endStreams, close: () => closed(server) }
  },
  "Express 5": async (store) => {
    const shop = nodeHandler(store)
    const app = express()
    app.use("/shop", shop)
    const server = app.listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    return { port: portOf(server), endStreams: shop.endStreams, close: () => closed(server) }
  },
  "Fastify 5": async (store) => {
    const shop = nodeHandler(store)
    const app = fastify()
    app.register(
      async (mounted) => {
        mounted.removeAllContentTypeParsers()
        mounted.all("/*", (request, reply) => {
          reply.hijack()
          shop(request.raw, reply.raw)
        })
      },
      { prefix: "/shop" }
    )
    await app.listen({ port: 0, host: "127.0.0.1" })
    return { port: portOf(app.server), endStreams: shop.endStreams, close: () => app.close() }
  },
  Hono: async (store) => {
    const shop = webHandler(store)
    const app = new Hono()
    app.all("/shop/*", (context) => shop(context.req.raw))
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" })
    await new Promise((resolve) => server.once("listening", resolve))
    return { port: portOf(server), endStreams: shop.endStreams, close: () => closed(server) }
  },
  "Effect's HttpRouter": async (store) => {
    const shop = webHandler(store)
    const router = HttpRouter.empty.pipe(HttpRouter.all("/shop/*", HttpApp.fromWebHandler(shop)))
    const server = createServer()
    const scope = Effect.runSync(Scope.make())
    const layer = Layer.provide(
      HttpServer.serve(router),
      NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })
    )
    await Effect.runPromise(Scope.extend(Layer.build(layer), scope))
    return {
      port: portOf(server),
      endStreams: shop.endStreams,
      close: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

/**
 * All that comes until it has been told of so many events, and how the rest of the stream is
 * awaited.
 */
const reading = (body: ReadableStream<Uint8Array>) => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const until = async (isEnough: (text: string) => boolean): Promise<string> => {
    while (!isEnough(text)) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
    }
    return text
  }
  return until
}

test.each(Object.entries(HOSTS))(
  "in %s events come as they happen, and end before the server does",
  async (_name, mount) => {
    await using store = await PetStore.open({ storage: MemoryStorage.layer })
    const { id } = await store.accounts.create({ name: "Ann", plan: "pro" })
    await store.categories.create({ name: "Fish" })
    const host = await mount(store)

    const follow = async (lastId: string) => {
      const headers = { "x-user": String(id), "last-event-id": lastId }
      const answer = await fetch(`http://127.0.0.1:${host.port}/shop/events?type=pet.created`, {
        headers
      })
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        "text/event-stream"
      ])
      if (answer.body === null) throw new Error("no stream")
      return reading(answer.body)
    }
    const epoch = await store.changes.epoch()
    const until = await follow(`${epoch}-1`)
    await store.pets.create({ name: "Goldie", categoryId: 1 })
    expect(await until((text) => text.includes("Goldie"))).toContain(
      `id: ${epoch}-2\nevent: pet.created\n`
    )
    await store.pets.create({ name: "Nemo", categoryId: 1 })
    expect(await until((text) => text.includes("Nemo"))).toContain(
      `id: ${epoch}-3\nevent: pet.created\n`
    )

    const resumed = await follow(`${epoch}-2`)
    const told = await resumed((text) => text.includes("Nemo"))
    expect(told).not.toContain("Goldie")

    host.endStreams()
    await Promise.all([until(() => false), resumed(() => false)])
    await host.close()
  }
)

test("in route handlers as Next has them events come as they happen, and end with the store", async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const { id } = await store.accounts.create({ name: "Ann", plan: "pro" })
  const GET = webHandler(store)
  const answer = await GET(
    new Request("http://host.test/shop/events", { headers: { "x-user": String(id) } })
  )
  if (answer.body === null) throw new Error("no stream")
  const until = reading(answer.body)
  await store.categories.create({ name: "Fish" })
  expect(await until((text) => text.includes("Fish"))).toContain("event: category.created\n")
  const ended = until(() => false)
  await store.close()
  await ended
})
