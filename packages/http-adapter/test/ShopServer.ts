/** A store in memory behind the web handler, with a key: what most tests of this folder call. */
import { type OpenOptions, type OpenPetStore, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { toWebHandler, type WebHandlerOptions } from "../src/index.js"

/** What a request body can be here. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

export const JSON_BODY = { "content-type": "application/json" }

export type Init = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: Body
}

export type ShopServer = {
  readonly store: OpenPetStore
  readonly key: string
  /** Sends a request with the key. */
  readonly send: (target: string, init?: Init) => Promise<Response>
  /** Sends JSON, by POST unless another method is given. */
  readonly sendJson: (target: string, body: unknown, init?: Init) => Promise<Response>
  /** Sends a request without a key. */
  readonly sendBare: (target: string, init?: Init) => Promise<Response>
}

type Options = {
  readonly web?: WebHandlerOptions
  readonly perMinute?: number
  readonly open?: Partial<OpenOptions>
}

/** Category 1 (dogs) and pet 1 (Rex) are there. */
export const openShop = async ({
  web = {},
  perMinute = 1_000_000,
  open = {}
}: Options = {}): Promise<ShopServer> => {
  const store = await PetStore.open({ storage: MemoryStorage.layer, ...open })
  const account = await store.accounts.create({
    name: "test",
    plan: "enterprise",
    perMinute,
    perDay: 1_000_000
  })
  const { key } = await store.keys.create(account.id, { name: "test" })
  const dogs = await store.categories.create({ name: "dogs" })
  await store.pets.create({ name: "Rex", categoryId: dogs.id })
  const handle = toWebHandler(store, web)
  const sendBare = (target: string, init: Init = {}) =>
    handle(
      new Request(
        `http://shop.test${target}`,
        init.body instanceof ReadableStream ? { ...init, duplex: "half" } : init
      )
    )
  const send = (target: string, init: Init = {}) =>
    sendBare(target, { ...init, headers: { "x-api-key": key, ...init.headers } })
  const sendJson = (target: string, body: unknown, init: Init = {}) =>
    send(target, {
      method: "POST",
      ...init,
      headers: { ...JSON_BODY, ...init.headers },
      body: JSON.stringify(body)
    })
  return { store, key, send, sendJson, sendBare }
}

/** Status and code of an error, and that its body is exactly the three members. */
export const errorOf = async (response: Response): Promise<string> => {
  const body: unknown = await response.json()
  if (
    typeof body !== "object" ||
    body === null ||
    !("code" in body) ||
    !("message" in body) ||
    !("status" in body)
  ) {
    throw new Error(`not an error: ${JSON.stringify(body)}`)
  }
  if (Object.keys(body).length !== 3 || body.status !== response.status)
    throw new Error("not exactly an error")
  return `${response.status} ${String(body.code)}: ${String(body.message)}`
}

/** One member of each record of a list. */
export const pluck = async (
  response: Response,
  member: string
): Promise<ReadonlyArray<unknown>> => {
  const items: unknown = await response.json()
  if (!Array.isArray(items)) throw new Error("not a list")
  return items.map((item: Readonly<Record<string, unknown>>) => item[member])
}
