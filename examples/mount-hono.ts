// The store as a part of a Hono application, on the web's Request and Response, then on a port
// through @hono/node-server.
import { PetStore } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { serve } from "@hono/node-server"
import { Hono } from "hono"

await using store = await PetStore.open({ storage: MemoryStorage.layer })
const ann = await store.accounts.create({ name: "Ann", plan: "pro" })

/** The host's own sign-in, which may be asynchronous. */
const identify = async ({ headers }: Request) =>
  headers.get("authorization") === "Session a1b2" ? ann.id : undefined

const shop = toWebHandler(store, { basePath: "/shop", identify })
const app = new Hono()
app.all("/shop/*", (context) => shop(context.req.raw))
app.get("/", (context) => context.text("the host's own page"))

const headers = { authorization: "Session a1b2", "content-type": "application/json" }
const made = await app.request("/shop/categories", {
  method: "POST",
  headers,
  body: '{"name":"Cats"}'
})
console.log(made.status, made.headers.get("location"), await made.json())
const listed = await app.request("/shop/categories?limit=1", { headers })
console.log(listed.status, listed.headers.get("link"))
console.log("limit of Ann:", listed.headers.get("x-ratelimit-limit"))

const port = await new Promise<number>((resolve) => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (address) =>
    resolve(address.port)
  )
  server.unref()
})
const served = await fetch(`http://127.0.0.1:${port}/shop/categories/1`, { headers })
console.log("on a port:", served.status, await served.json())
