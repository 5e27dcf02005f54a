// The store as a plugin of a Fastify 5 application, behind the application's own sign-in.
import { PetStore } from "@petstore/core"
import { toNodeHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import fastify, { type FastifyPluginCallback } from "fastify"

await using store = await PetStore.open({ storage: MemoryStorage.layer })
const ann = await store.accounts.create({ name: "Ann", plan: "pro" })

const accounts = new WeakMap<object, number>()
const handler = toNodeHandler(store, {
  basePath: "/shop",
  identify: (request) => accounts.get(request)
})

/**
 * Passes requests on unchanged: Fastify parses and answers nothing below the prefix of the plugin.
 */
const shop: FastifyPluginCallback = (app, _options, done) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
  app.addHook("onRequest", async (request) => {
    if (request.headers["x-user"] === "ann") accounts.set(request.raw, ann.id)
  })
  app.all("/*", (request, reply) => {
    reply.hijack()
    handler(request.raw, reply.raw)
  })
  done()
}

const app = fastify()
app.register(shop, { prefix: "/shop" })
app.get("/", async () => "the host's own page")
const url = await app.listen({ port: 0, host: "127.0.0.1" })

const headers = { "x-user": "ann", "content-type": "application/json", connection: "close" }
const made = await fetch(`${url}/shop/categories`, {
  method: "POST",
  headers,
  body: '{"name":"Cats"}'
})
console.log(made.status, made.headers.get("location"), await made.json())
const listed = await fetch(`${url}/shop/categories?limit=1`, { headers })
console.log(listed.status, listed.headers.get("link"))
console.log("limit of Ann:", listed.headers.get("x-ratelimit-limit"))
console.log(await (await fetch(url, { headers: { connection: "close" } })).text())
await app.close()
