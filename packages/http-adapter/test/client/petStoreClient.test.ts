import * as HttpApi from "@effect/platform/HttpApi"
import type { IfRevision, PromiseApi } from "@petstore/core"
import type { Shop } from "@petstore/core/adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type ClientOptions,
  fetchTransport,
  isPetStoreError,
  NoAnswer,
  petStoreClient,
  type PetStoreClient,
  type Transport,
  UnexpectedAnswer,
  webTransport
} from "../../src/client/index.js"
import { EVENTS, ROUTES, type Route } from "../../src/contract/routes.js"
import { PetStoreApi, serve, type Serving, storeTransport, toWebHandler } from "../../src/index.js"
import { openShop, type ShopServer } from "../ShopServer.js"

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (failure: unknown) => failure
  )

describe("the routes of the client", () => {
  it("are those of the contract, every one", () => {
    const declared: Array<string> = []
    HttpApi.reflect(PetStoreApi, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint, successes }) => {
        const path = endpoint.path.replace(/:\w+/, "{id}")
        declared.push(
          `${endpoint.name} ${endpoint.method} ${path} ${[...successes.keys()].join(" ")}`
        )
      }
    })
    const routes = [
      EVENTS,
      ...Object.values(ROUTES).flatMap((group) => Object.values<Route>(group))
    ]
    expect(
      routes
        .map(({ operation, method, path, statuses }) =>
          [operation, method, path, ...statuses].join(" ")
        )
        .sort()
    ).toEqual(declared.sort())
  })
})

const TRANSPORTS = {
  fetch: ({ serving }: Setting) => fetchTransport(serving.url),
  "a web handler": ({ shop }: Setting) => webTransport(toWebHandler(shop.store)),
  "an open store": ({ shop }: Setting) => storeTransport(shop.store)
}

type Setting = { readonly shop: ShopServer; readonly serving: Serving }

describe.each(Object.entries(TRANSPORTS))("the client over %s", (_, transportOf) => {
  let setting: Setting
  let client: PetStoreClient

  beforeAll(async () => {
    const shop = await openShop()
    setting = { shop, serving: await serve(shop.store, { port: 0 }) }
    client = petStoreClient({ transport: transportOf(setting), key: shop.key })
  })

  afterAll(() => setting.serving.close())

  it("has the store's own verbs, with its own answers", async () => {
    const { store } = setting.shop
    const cats = await client.categories.create({ name: "cats" })
    const tom = await client.pets.create({ name: "Tom", categoryId: cats.id })
    expect(tom).toEqual(await store.pets.get(tom.id))
    expect(await client.pets.update(tom.id, { name: "Tomcat 🐈" })).toEqual(
      await store.pets.get(tom.id)
    )
    expect(await client.inventory.set(tom.id, { quantity: 3 })).toEqual(
      await store.inventory.get(tom.id)
    )
    const order = await client.orders.place({
      petId: tom.id,
      shipDate: "2026-12-24T09:00:00+01:00"
    })
    expect(order).toEqual({
      id: order.id,
      petId: tom.id,
      quantity: 1,
      shipDate: "2026-12-24T08:00:00Z",
      complete: false
    })
    expect(await client.orders.list({ petId: tom.id, total: true })).toEqual({
      items: [order],
      total: 1
    })
    expect(await client.orders.cancel(order.id)).toBeUndefined()
    expect(await client.pets.remove(tom.id)).toBeUndefined()
    expect(await client.pets.list({ id: [1, tom.id], status: ["available", "sold"] })).toEqual(
      await store.pets.list({ id: 1 })
    )
  })

  it("rejects with the code of what was refused", async () => {
    const missing = await failureOf(client.categories.get(9_999))
    expect(isPetStoreError(missing, "not_found")).toBe(true)
    expect(isPetStoreError(missing, "insufficient_stock")).toBe(false)
    expect(missing).toMatchObject({
      code: "not_found",
      status: 404,
      message: "there is no category 9999"
    })
    const refused = await failureOf(client.orders.place({ petId: 1, quantity: 50 }))
    if (!isPetStoreError(refused, "insufficient_stock")) throw refused
    expect(refused.rate?.remaining).toBeGreaterThan(0)
    expect(refused.requestId).toMatch(/-/)
  })

  it("goes through a list page by page, record by record", async () => {
    for (let n = 0; n < 7; n++) await client.categories.create({ name: `kind ${n}` })
    const names: Array<string> = []
    for await (const { name } of client.categories.all({ name: "kind", limit: 3 })) names.push(name)
    expect(names).toEqual(Array.from({ length: 7 }, (_, n) => `kind ${n}`))
    const sizes: Array<number> = []
    for await (const { items } of client.categories.pages({ name: "kind", limit: 3 }))
      sizes.push(items.length)
    expect(sizes).toEqual([3, 3, 1])
  })

  it("returns limits, tags and lifecycles on request, and changes only the revision that was read", async () => {
    const { value, rate, etag, revision, deprecated, status } = await client.detailed.pets.get(1)
    expect([status, value.name, etag, revision]).toEqual([200, "Rex", '"1-1"', 1])
    expect(rate).toMatchObject({ limit: 1_000_000 })
    expect(deprecated).toEqual({ sinceSeconds: 1_796_083_200, sunsetMs: Date.UTC(2027, 11, 1) })
    const listed = await client.detailed.pets.list({ limit: 1 })
    expect([listed.deprecated, listed.stability]).toEqual([undefined, "stable"])
    expect(
      (await client.detailed.pets.update(1, { name: "Max" }, { ifRevision: 1 })).stability
    ).toBe("beta")
    const late = await failureOf(client.pets.update(1, { name: "Rex" }, { ifRevision: [1] }))
    expect(isPetStoreError(late, "precondition_failed")).toBe(true)
    await client.pets.update(1, { name: "Rex" }, { ifRevision: "any" })
    setting.shop.store.direct.pets.replace(1, { name: "Rex", categoryId: 1 })
  })

  it.each<IfRevision>([
    {},
    { ifRevision: 1 },
    { ifRevision: 2 },
    { ifRevision: 0 },
    { ifRevision: [1] },
    { ifRevision: [7, 1] },
    { ifRevision: [7, 8] },
    { ifRevision: [] },
    { ifRevision: "any" },
    { ifRevision: "none" }
  ])(
    "changes under the condition %j what the store does, and refuses what it refuses",
    async (condition) => {
      const { store } = setting.shop
      const outcome = async (change: Promise<unknown>): Promise<unknown> => {
        const failure = await failureOf(change)
        return failure instanceof Error && "code" in failure ? failure.code : failure
      }
      const changes = async (verbs: Pick<PromiseApi<Shop>, "pets" | "inventory" | "orders">) => {
        const pet = await store.pets.create({ name: "Tom", categoryId: 1 })
        const order = await store.orders.place({})
        return [
          await outcome(verbs.inventory.set(pet.id, { quantity: 3 }, condition)),
          await outcome(verbs.inventory.set(pet.id, { quantity: 4 }, {})),
          await outcome(verbs.inventory.set(pet.id, { quantity: 5 }, condition)),
          await outcome(verbs.pets.update(pet.id, { name: "Max" }, condition)),
          await outcome(verbs.orders.replace(order.id, {}, condition)),
          await outcome(verbs.orders.cancel(order.id, condition)),
          await outcome(verbs.pets.remove(pet.id, condition))
        ]
      }
      expect(await changes(client)).toEqual(await changes(store))
    }
  )

  it("asks for a record that is not there yet with `none`", async () => {
    const { id } = await setting.shop.store.pets.create({ name: "Tom", categoryId: 1 })
    expect(await client.inventory.set(id, { quantity: 3 }, { ifRevision: "none" })).toMatchObject({
      quantity: 3
    })
    const late = await failureOf(client.inventory.set(id, { quantity: 4 }, { ifRevision: "none" }))
    expect(isPetStoreError(late, "precondition_failed")).toBe(true)
  })
})

const NOW_MS = Date.UTC(2026, 0, 1, 12)

/** What something on the way to the service answers: its own page. */
const GATEWAY = "<html>"

/**
 * A client whose transport answers from a script, and whose waits are noted instead of waited for.
 */
const scripted = (
  answers: ReadonlyArray<
    readonly [status: number, code?: string, retryAfter?: number | string] | "lost"
  >,
  more: Partial<ClientOptions> = {}
) => {
  const waits: Array<number> = []
  const keys: Array<string | undefined> = []
  const script = [...answers]
  const transport: Transport = async ({ headers }) => {
    keys.push(headers["idempotency-key"])
    const next = script.shift()
    if (next === undefined || next === "lost") throw new Error("connection reset")
    const [status, code, retryAfter] = next
    const text =
      status < 400
        ? '{"id":1,"name":"dogs"}'
        : code === GATEWAY
          ? GATEWAY
          : JSON.stringify({ code, message: "refused", status })
    return {
      status,
      header: (name) =>
        name === "retry-after" && retryAfter !== undefined ? String(retryAfter) : null,
      text
    }
  }
  const sleep = async (ms: number) => void waits.push(ms)
  const nowMs = () => NOW_MS
  const client = petStoreClient({
    transport,
    key: "ps_test",
    sleep,
    nowMs,
    random: () => 0,
    ...more
  })
  return { client, waits, keys, rest: script }
}

describe("a client that gets a Retry-After", () => {
  it("waits exactly as long as Retry-After says, or a little more, and never less", async () => {
    const { client, waits } = scripted([[429, "rate_limited", 12], [503, "unavailable", 1], [200]])
    expect(await client.categories.get(1)).toEqual({ id: 1, name: "dogs" })
    expect(waits).toEqual([12_000, 1_000])
    const spread = scripted([[429, "rate_limited", 12], [200]], { random: () => 0.5 })
    await spread.client.categories.get(1)
    expect(spread.waits).toEqual([12_500])
  })

  it.each([
    "Thu, 01 Jan 2026 12:00:07 GMT",
    "Thursday, 01-Jan-26 12:00:07 GMT",
    "Thu Jan  1 12:00:07 2026"
  ])("waits until a date: %s", async (date) => {
    const { client, waits } = scripted([[503, "unavailable", date], [200]])
    await client.categories.get(1)
    expect(waits).toEqual([7_000])
  })

  it("obeys a gateway's own 429 and 503 too, with their wait", async () => {
    const codes: Array<unknown> = []
    const { client, waits, keys } = scripted(
      [[503, GATEWAY, 2], [429, GATEWAY, "Thu, 01 Jan 2026 12:00:03 GMT"], [503, GATEWAY], [201]],
      { onRetry: ({ code }) => codes.push(code), resendChanges: false }
    )
    expect(await client.categories.create({ name: "dogs" })).toEqual({ id: 1, name: "dogs" })
    expect(waits).toEqual([2_000, 3_000, 500])
    expect([new Set(keys).size, codes]).toEqual([1, [undefined, undefined, undefined]])
  })

  it("rejects with what a gateway has said once it has tried often enough, or would wait for too long", async () => {
    const tired = scripted(Array.from({ length: 9 }, () => [503, GATEWAY, 1] as const))
    expect(await failureOf(tired.client.pets.list())).toMatchObject({
      name: "UnexpectedAnswer",
      status: 503,
      retryAfterSeconds: 1
    })
    expect(tired.waits).toHaveLength(4)
    const impatient = scripted([[429, GATEWAY, 40_000]])
    expect(await failureOf(impatient.client.pets.list())).toMatchObject({ status: 429 })
    const other = scripted([[502, GATEWAY, 1]])
    expect(await failureOf(other.client.pets.list())).toMatchObject({ status: 502 })
    expect([impatient.waits, other.waits]).toEqual([[], []])
  })

  it("sends a change with the same idempotency key each time, and another change with another", async () => {
    const { client, keys } = scripted([
      [429, "rate_limited", 1],
      [503, "unavailable", 1],
      [201],
      [201]
    ])
    await client.categories.create({ name: "dogs" })
    await client.categories.create({ name: "dogs" })
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]])
    expect(keys[3]).not.toBe(keys[0])
  })

  it("gives up after its tries, or where the wait is beyond its patience, or it is banned", async () => {
    const tired = scripted(Array.from({ length: 9 }, () => [429, "rate_limited", 1] as const))
    expect(await failureOf(tired.client.pets.list())).toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 1
    })
    expect(tired.waits.length).toBe(4)
    const impatient = scripted([[429, "rate_limited", 40_000]])
    expect(await failureOf(impatient.client.pets.list())).toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 40_000
    })
    const banned = scripted([[403, "key_banned", 1]])
    expect(await failureOf(banned.client.pets.list())).toMatchObject({ code: "key_banned" })
    expect([impatient.waits, banned.waits]).toEqual([[], []])
  })

  it("retries when a response was lost, a change with the same key, unless configured otherwise", async () => {
    const reading = scripted(["lost", "lost", [200]])
    await reading.client.categories.get(1)
    expect(reading.waits).toEqual([125, 250])
    const changing = scripted(["lost", [201]], { resendChanges: false })
    expect(await failureOf(changing.client.categories.create({ name: "dogs" }))).toBeInstanceOf(
      NoAnswer
    )
    const resending = scripted(["lost", [201]])
    expect(await resending.client.categories.create({ name: "dogs" })).toMatchObject({ id: 1 })
    expect(resending.keys[1]).toBe(resending.keys[0])
  })

  it("does not take the answer of something else for the store's", async () => {
    const proxy: Transport = async () => ({ status: 502, header: () => null, text: "<html>" })
    expect(
      await failureOf(petStoreClient({ transport: proxy, key: "k" }).pets.list())
    ).toBeInstanceOf(UnexpectedAnswer)
    const page: Transport = async () => ({ status: 200, header: () => null, text: "<html>" })
    expect(
      await failureOf(petStoreClient({ transport: page, key: "k" }).pets.list())
    ).toBeInstanceOf(UnexpectedAnswer)
  })

  it("makes a change once, though its answer is lost and it is sent again", async () => {
    const shop = await openShop()
    const through = storeTransport(shop.store)
    let calls = 0
    const losing: Transport = async (call) => {
      const answer = await through(call)
      if (++calls === 1) throw new Error("connection reset")
      return answer
    }
    const client = petStoreClient({
      transport: losing,
      key: shop.key,
      sleep: async () => undefined
    })
    const { value, replayed } = await client.detailed.categories.create({ name: "birds" })
    expect([calls, replayed, value.name]).toEqual([2, true, "birds"])
    expect((await shop.store.categories.list({ name: "birds" })).items).toEqual([value])
  })

  it("succeeds against a real limit after exactly Retry-After", async () => {
    const shop = await openShop({ perMinute: 1 })
    const waits: Array<number> = []
    const client = petStoreClient({
      transport: storeTransport(shop.store),
      key: shop.key,
      tries: 2,
      random: () => 0,
      sleep: async (ms) => void waits.push(ms)
    })
    await client.pets.list()
    const refused = await failureOf(client.pets.list())
    if (!isPetStoreError(refused, "rate_limited")) throw refused
    expect(waits).toEqual([(refused.retryAfterSeconds ?? 0) * 1_000])
    expect(refused.rate).toMatchObject({ limit: 1, remaining: 0 })
  })
})
