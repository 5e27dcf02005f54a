// The store as a part of an Express 5 application, behind the application's own sign-in.
import type { AddressInfo } from "node:net"
import { PetStore } from "@petstore/core"
import { toNodeHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import express, { type Request } from "express"

await using store = await PetStore.open({ storage: MemoryStorage.layer })
const ann = await store.accounts.create({ name: "Ann", plan: "pro" })

const app = express()
// The application's own sign-in, which stores its user with the response.
app.use((request, response, next) => {
  response.locals["accountId"] = request.get("x-user") === "ann" ? ann.id : undefined
  next()
})
// Before body parsers: the store reads bodies itself, with its own limit.
const shop = toNodeHandler(store, {
  basePath: "/shop",
  identify: (request) => (request as Request).res?.locals["accountId"]
})
app.use("/shop", shop)
app.use(express.json())
app.get("/", (_request, response) => void response.send("the host's own page"))

const server = app.listen(0, "127.0.0.1")
await new Promise((resolve) => server.once("listening", resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

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
console.log(await (await fetch(url, { headers })).text())
server.close()
