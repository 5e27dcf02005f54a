// The store as a worker: a module that exports a fetch function, bundled for a runtime without
// Node. The store lives as long as the worker does.
import { PetStore } from "@petstore/core"
import { toWebHandler, type WebHandler } from "@petstore/http-adapter/web"
import { MemoryStorage } from "@petstore/storage-memory"

const open = async (): Promise<WebHandler> => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const ann = await store.accounts.create({ name: "Ann", plan: "pro" })
  return toWebHandler(store, {
    identify: ({ headers }) => (headers.get("x-user") === "ann" ? ann.id : undefined)
  })
}

// Opened by the first request: many platforms allow no random bytes and no timers before it.
let opening: Promise<WebHandler> | undefined

const worker = {
  fetch: async (request: Request): Promise<Response> => (await (opening ??= open()))(request)
}

export default worker
