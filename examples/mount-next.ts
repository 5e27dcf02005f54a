// The store in route handlers of the kind that Next has: a file app/shop/[...path]/route.ts exports
// a function for each method.
import { PetStore } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"

const store = await PetStore.open({ storage: MemoryStorage.layer })
const ann = await store.accounts.create({ name: "Ann", plan: "pro" })

const handler = toWebHandler(store, {
  basePath: "/shop",
  identify: ({ headers }) =>
    headers.get("cookie")?.includes("session=a1b2") === true ? ann.id : undefined
})

// The exports of the route's file. Only the request is needed of what Next passes.
export const GET = handler
export const POST = handler
export const PUT = handler
export const PATCH = handler
export const DELETE = handler
export const OPTIONS = handler

// The call that the framework makes.
const headers = { cookie: "session=a1b2", "content-type": "application/json" }
const url = "http://host.test/shop/categories"
const made = await POST(new Request(url, { method: "POST", headers, body: '{"name":"Cats"}' }))
console.log(made.status, made.headers.get("location"), await made.json())
const listed = await GET(new Request(`${url}?limit=1`, { headers }))
console.log(listed.status, listed.headers.get("link"))
console.log("limit of Ann:", listed.headers.get("x-ratelimit-limit"))
console.log("without a session:", (await GET(new Request(url))).status)
await store.close()
