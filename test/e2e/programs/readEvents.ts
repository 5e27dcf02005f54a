/**
 * Reads an event stream of a web handler on which nothing ever comes, and has nothing else to do.
 */
import { PetStore } from "@petstore/core"
import { toWebHandler } from "@petstore/http-adapter"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = ""] = process.argv.slice(2)
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
const account = await store.accounts.create({ plan: "free" })
const handler = toWebHandler(store, { experimental: true, identify: () => account.id })
const { status, body } = await handler(new Request("http://shop.test/events"))
const reader = body?.getReader()
await reader?.read()
void reader?.read()
say("reading", status)
