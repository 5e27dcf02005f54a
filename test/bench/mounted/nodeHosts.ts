/** Frameworks on node:http, with the store's node handler in them as the examples mount it. */
import { toNodeHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import makeExpress from "express"
import makeFastify from "fastify"
import type { Target } from "../http/works.js"
import { filledStore } from "../peers/filledStore.js"
import { express as expressByHand } from "./byHand/express.js"
import { fastify as fastifyByHand } from "./byHand/fastify.js"
import type { Side } from "./hosts.js"
import { portOf } from "../peers/shop/portOf.js"

const host = "127.0.0.1"

const mounted = async () => {
  const { store, key } = await filledStore(MemoryStorage.layer)
  // Without counters for Prometheus, as the service by hand has none.
  return { handler: toNodeHandler(store, { metrics: false }), key }
}

export const express = async (side: Side): Promise<Target> => {
  if (side === "hand") return expressByHand()
  const { handler, key } = await mounted()
  const app = makeExpress()
  app.disable("x-powered-by")
  app.use(handler)
  const server = app.listen(0, host)
  await new Promise((listening) => server.once("listening", listening))
  return { port: portOf(server), key }
}

export const fastify = async (side: Side): Promise<Target> => {
  if (side === "hand") return fastifyByHand()
  const { handler, key } = await mounted()
  const app = makeFastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
  app.all("/*", (request, reply) => {
    reply.hijack()
    handler(request.raw, reply.raw)
  })
  await app.listen({ host, port: 0 })
  return { port: portOf(app.server), key }
}
