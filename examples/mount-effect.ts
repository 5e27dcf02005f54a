// The store as a part of an HttpRouter of @effect/platform: one layer for the store, one route for
// everything below /shop.
import { PetStore } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Layer, ManagedRuntime } from "effect"

const host = Effect.gen(function* () {
  const store = yield* PetStore
  const ann = yield* store.accounts.create({ name: "Ann", plan: "pro" })
  const shop = toWebHandler(store, {
    basePath: "/shop",
    identify: ({ headers }) => (headers.get("x-user") === "ann" ? ann.id : undefined)
  })
  return HttpRouter.empty.pipe(
    HttpRouter.get("/", HttpServerResponse.text("the host's own page")),
    HttpRouter.all("/shop/*", HttpApp.fromWebHandler(shop))
  )
})

const runtime = ManagedRuntime.make(PetStore.layer().pipe(Layer.provide(MemoryStorage.layer)))
const handler = HttpApp.toWebHandler(await runtime.runPromise(host))

const headers = { "x-user": "ann", "content-type": "application/json" }
const url = "http://host.test/shop/categories"
const made = await handler(new Request(url, { method: "POST", headers, body: '{"name":"Cats"}' }))
console.log(made.status, made.headers.get("location"), await made.json())
const listed = await handler(new Request(`${url}?limit=1`, { headers }))
console.log(listed.status, listed.headers.get("link"))
console.log("limit of Ann:", listed.headers.get("x-ratelimit-limit"))
console.log(await (await handler(new Request("http://host.test/"))).text())
await runtime.dispose()
