// A server that receives changes by webhook, and the shop that sends them.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { PetStore } from "@petstore/core"
import { deliverWebhooks } from "@petstore/http-adapter/webhooks"
import { MemoryStorage } from "@petstore/storage-memory"
import { Webhook } from "standardwebhooks"

/** The received messages by id, so that a repeated message counts once. */
const heard = new Map<string, unknown>()
let secret = ""

const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    const fields = Object.entries(request.headers).map(
      ([name, value]) => [name, String(value)] as const
    )
    const message = new Webhook(secret).verify(await text(request), Object.fromEntries(fields))
    heard.set(String(request.headers["webhook-id"]), message)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}

const server = createServer((request, response) => void receive(request, response))
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`

// Plain http and private addresses are allowed only because the receiver is this program.
const webhooks = {
  secret: "a long secret of the host",
  allowHttp: true,
  allowPrivateAddresses: true
}
await using store = await PetStore.open({ storage: MemoryStorage.layer, webhooks })
secret = (await store.webhooks.create({ url, types: ["pet.created", "pet.updated"] })).secret

const category = await store.categories.create({ name: "Fish" })
const pet = await store.pets.create({ name: "Goldie", categoryId: category.id })
await store.pets.update(pet.id, { status: "sold" })

await new Promise<void>((resolve) => {
  const delivery = deliverWebhooks(store, {
    onAttempt: ({ type, outcome }) => {
      console.log(type, outcome)
      if (heard.size === 2) void delivery.close().then(resolve)
    }
  })
})
for (const message of heard.values())
  console.log(JSON.stringify(message).replace(/"timestamp":"[^"]+"/, '"timestamp":"…"'))

const forged = await fetch(url, { method: "POST", headers: { connection: "close" }, body: "{}" })
console.log("without a signature:", forged.status)
server.close()
