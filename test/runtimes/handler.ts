/** Claims on the service, in process or behind a server. */
import { type OpenPetStore, PetStore } from "@petstore/core"
import { petStoreClient, type Transport, webTransport } from "@petstore/http-adapter/client"
import { toWebHandler } from "@petstore/http-adapter/web"
import { MemoryStorage } from "@petstore/storage-memory"
import { type Claim, expectCode, expectSame } from "./Claim.js"

/** A store that is served: what calls it, and what stops that. */
export type Served = {
  readonly url: string
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly transport: Transport
  readonly close: () => Promise<void>
}

/** Serves a store. */
export type Serve = (store: OpenPetStore) => Promise<Served>

/** The handler for workers, without a server. */
export const inProcess: Serve = (store) => {
  const handler = toWebHandler(store)
  return Promise.resolve({
    url: "http://shop.test",
    fetch: (url, init) => handler(new Request(url, init)),
    transport: webTransport(handler),
    close: () => Promise.resolve()
  })
}

type Init = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type Shop = Served & {
  readonly store: OpenPetStore
  readonly key: string
  readonly call: (path: string, init?: Init) => Promise<Response>
}

const withShop = async (serve: Serve, use: (shop: Shop) => Promise<void>): Promise<void> => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const { id } = await store.accounts.create({ name: "Ann", plan: "business" })
  const { key } = await store.keys.create(id)
  const served = await serve(store)
  const call = (path: string, init: Init = {}) =>
    served.fetch(`${served.url}${path}`, {
      ...init,
      headers: { "x-api-key": key, "content-type": "application/json", ...init.headers }
    })
  try {
    await use({ ...served, store, key, call })
  } finally {
    await served.close()
    await store.close()
  }
}

/** Reads until `text` has come, then calls the stream off. */
const readUntil = async (response: Response, text: string): Promise<void> => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let read = ""
  while (!read.includes(text)) {
    const chunk = await reader?.read()
    if (chunk?.value === undefined) throw new Error(`the stream ended with ${read}`)
    read += chunk.value
  }
  await reader?.cancel()
}

/** A field of a body. */
const fieldOf = async (response: Response, field: string): Promise<unknown> => {
  const body: unknown = await response.json()
  return body instanceof Object ? Reflect.get(body, field) : undefined
}

const post = (value: object): Init => ({ method: "POST", body: JSON.stringify(value) })

/** The claims, `where` the handler is served. */
export const handler = (where: string, serve: Serve): ReadonlyArray<Claim> => {
  const claim = (text: string, check: (shop: Shop) => Promise<void>): Claim => ({
    claim: `${where}: ${text}`,
    check: () => withShop(serve, check)
  })
  return [
    claim("a record is made, read, altered, listed and removed", async ({ call }) => {
      const made = await call("/categories", post({ name: "Fish" }))
      expectSame([made.status, made.headers.get("location")], [201, "/categories/1"])
      const etag = made.headers.get("etag") ?? ""
      const read = await call("/categories/1", { headers: { "if-none-match": etag } })
      expectSame([read.status, await read.text()], [304, ""])
      const patch = { method: "PATCH", body: '{"name":"Fishes"}' }
      const altered = await call("/categories/1", { ...patch, headers: { "if-match": etag } })
      expectSame([altered.status, await fieldOf(altered, "name")], [200, "Fishes"])
      const late = await call("/categories/1", { ...patch, headers: { "if-match": etag } })
      expectSame(late.status, 412)
      const listed = await call("/categories?limit=1")
      expectSame([listed.status, await fieldOf(listed, "length")], [200, 1])
      const removed = await call("/categories/1", { method: "DELETE" })
      expectSame([removed.status, await removed.text()], [204, ""])
    }),
    claim("what is wrong is refused", async ({ call, fetch, url }) => {
      const broken = await call("/categories", { method: "POST", body: "{" })
      expectSame([broken.status, await fieldOf(broken, "code")], [400, "invalid_json"])
      const anonymous = await fetch(`${url}/categories`)
      expectSame([anonymous.status, await fieldOf(anonymous, "code")], [401, "missing_key"])
      expectSame((await call("/nowhere")).status, 404)
    }),
    claim("the description is served", async ({ call }) => {
      expectSame(await fieldOf(await call("/openapi.json"), "openapi"), "3.0.3")
    }),
    claim("a stream of events tells of a change, and is called off", async ({ call, store }) => {
      const opened = await call("/events", {
        headers: { "x-stability-opt-in": "experimental", "last-event-id": "0" }
      })
      expectSame(opened.status, 200)
      await store.categories.create({ name: "Fish" })
      await readUntil(opened, "category.created")
    }),
    claim("the client calls it", async ({ transport, key }) => {
      const shop = petStoreClient({ transport, key })
      const fish = await shop.categories.create({ name: "Fish" })
      await shop.pets.create({ name: "Goldie", categoryId: fish.id })
      const names: Array<string> = []
      for await (const pet of shop.pets.all()) names.push(pet.name)
      expectSame(names, ["Goldie"])
      await expectCode(shop.orders.place({ petId: 1, quantity: 2 }), "insufficient_stock")
    })
  ]
}
