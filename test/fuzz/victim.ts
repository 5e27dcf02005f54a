/**
 * A shop in FILE that is served to be fuzzed, as a process of its own. Says where it listens; then
 * answers each line on stdin with how it is.
 */
import { createInterface } from "node:readline"
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { SqliteStorage } from "@petstore/storage-sqlite"

const [filename = ""] = process.argv.slice(2)
const store = await PetStore.open({
  storage: SqliteStorage.layer({ filename, durability: "relaxed" })
})
const account = await store.accounts.create({
  plan: "enterprise",
  perMinute: 10 ** 8,
  perDay: 10 ** 9
})
const { key } = await store.keys.create(account.id)
const { id: categoryId } = await store.categories.create({ name: "Dogs" })
for (let nth = 0; nth < 50; nth++) await store.pets.create({ name: `Pet ${nth}`, categoryId })
await store.inventory.set(1, { quantity: 1_000 })

let admitted = 0
const failures: Array<string> = []
const statuses: Record<string, number> = {}
const serving = await serve(store, {
  port: 0,
  cors: "*",
  maxBodyBytes: 65_536,
  headersTimeoutMs: 2_000,
  requestTimeoutMs: 2_000,
  onError: (cause) => failures.push(cause instanceof Error ? `${cause.stack}` : String(cause)),
  onRequest: ({ accountId, status }) => {
    if (accountId !== undefined) admitted++
    const name = String(status ?? "vanished")
    statuses[name] = (statuses[name] ?? 0) + 1
  }
})

const say = (what: unknown): void => console.log(JSON.stringify(what))

const state = async () => {
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc?.()
  }
  const { day } = await store.limits.get(account.id)
  const connections = await new Promise<number>((resolve, reject) =>
    serving.server.getConnections((error, count) =>
      error === null ? resolve(count) : reject(error)
    )
  )
  const { heapUsed, external } = process.memoryUsage()
  return {
    heapBytes: heapUsed + external,
    admitted,
    counted: day.used,
    connections,
    failures,
    statuses
  }
}

say({ url: serving.url, key })
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "close") break
  say(await state())
}
await serving.close()
await store.close()
process.exit(0)
