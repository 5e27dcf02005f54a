/** A store in memory that is served over sockets, with what a test of the contract needs in it. */
import { type OpenOptions, type OpenPetStore, PetStore } from "@petstore/core"
import type { Engine } from "@petstore/core/adapter"
import { type ServeOptions, serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import type { Received } from "./DocumentCheck.js"

export type Call = {
  readonly method: string
  /** With its query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type ServedShop = {
  readonly store: OpenPetStore
  readonly url: string
  readonly key: string
  /** Sends a call with the key, unless it has its own headers for that. */
  readonly send: (call: Call) => Promise<Received>
  readonly close: () => Promise<void>
}

type Options = {
  readonly serve?: ServeOptions
  readonly open?: Partial<OpenOptions>
  /** Changes the engine that is served, for faults. */
  readonly engine?: (engine: Engine) => Engine
}

export const receivedOf = async (response: Response): Promise<Received> => ({
  status: response.status,
  headers: response.headers,
  text: await textOf(response)
})

/** The text of an answer; of one that goes on, what comes first. */
const textOf = async (response: Response): Promise<string> => {
  const { headers, body } = response
  if (headers.get("content-type") !== "text/event-stream" || body === null) return response.text()
  const reader = body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

export const servedShop = async ({
  serve: options = {},
  open = {},
  engine = (same) => same
}: Options = {}) => {
  const store = await PetStore.open({ storage: MemoryStorage.layer, ...open })
  const account = await store.accounts.create({
    name: "test",
    plan: "enterprise",
    perMinute: 10_000_000,
    perDay: 1_000_000_000
  })
  const { key } = await store.keys.create(account.id, { name: "test" })
  const serving = await serve({ engine: engine(store.engine) }, { port: 0, ...options })
  const shop: ServedShop = {
    store,
    url: serving.url,
    key,
    send: async ({ method, target, headers = {}, body }) =>
      receivedOf(
        await fetch(serving.url + target, {
          method,
          headers: { "x-api-key": key, ...headers },
          ...(body === undefined ? {} : { body })
        })
      ),
    close: async () => {
      await serving.close()
      await store.close()
    }
  }
  return shop
}
