// The store below /shop of a host on node:http, which identifies its callers by its own sessions.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { PetStore } from "@petstore/core"
import { toNodeHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"

await using store = await PetStore.open({ storage: MemoryStorage.layer })
const ann = await store.accounts.create({ name: "Ann", plan: "free" })

/** The host's sessions: a cookie for each user, and the user's account in the store. */
const sessions = new Map([["session=a1b2", ann.id]])
const identify = ({ headers }: IncomingMessage) => sessions.get(headers.cookie ?? "")

const shop = toNodeHandler(store, { basePath: "/shop", identify })
const server = createServer((request, response) => {
  if (request.url?.startsWith("/shop/")) shop(request, response)
  else response.end("the host's own page")
})
server.on("checkContinue", shop.checkContinue)
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address() as AddressInfo

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { connection: "close", ...headers }
  })
  console.log(path, answer.status, await answer.text())
}
await ask("/")
await ask("/shop/categories", { cookie: "session=a1b2" })
await ask("/shop/categories")
console.log("requests of Ann this minute:", (await store.limits.get(ann.id)).minute.used)
server.close()
