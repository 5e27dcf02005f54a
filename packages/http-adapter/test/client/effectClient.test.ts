import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Chunk, Effect, Fiber, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { petStoreEffectClient } from "../../src/client/effectClient.js"
import { serve, type Serving } from "../../src/index.js"
import { openEventShop } from "../events/EventShop.js"
import { openShop, type ShopServer } from "../ShopServer.js"

let shop: ShopServer
let serving: Serving

beforeAll(async () => {
  shop = await openShop()
  serving = await serve(shop.store, { port: 0, basePath: "/v1" })
})

afterAll(() => serving.close())

describe("the Effect client", () => {
  it("calls the contract's operations by name, with values decoded", () =>
    Effect.gen(function* () {
      const client = yield* petStoreEffectClient({ baseUrl: serving.url, key: shop.key })
      const cats = yield* client.categories.createCategory({ payload: { name: "cats" } })
      const tom = yield* client.pets.createPet({ payload: { name: "Tom", categoryId: cats.id } })
      expect(
        yield* client.pets.listPets({ urlParams: { id: [tom.id], limit: 5, total: true } })
      ).toEqual([tom])
      const shipDate = Date.UTC(2026, 11, 24)
      const order = yield* client.orders.placeOrder({ payload: { petId: tom.id, shipDate } })
      expect(order).toMatchObject({ petId: tom.id, quantity: 1, shipDate, complete: false })
      yield* client.orders.cancelOrder({ path: { orderId: order.id ?? 0 } })
      const [item, response] = yield* client.inventory.setInventory({
        path: { petId: tom.id },
        payload: { quantity: 2 },
        withResponse: true
      })
      expect([item.quantity, response.status, response.headers["x-ratelimit-limit"]]).toEqual([
        2,
        201,
        "1000000"
      ])
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise))

  it("fails with the payloads of the operation's codes, in the error channel", () =>
    Effect.gen(function* () {
      const client = yield* petStoreEffectClient({ baseUrl: serving.url, key: shop.key })
      const caught = yield* client.orders.placeOrder({ payload: { petId: 1, quantity: 9 } }).pipe(
        Effect.map(() => "placed"),
        Effect.catchIf(
          (failure) => "code" in failure && failure.code === "insufficient_stock",
          (failure) => Effect.succeed("status" in failure ? `refused with ${failure.status}` : "")
        )
      )
      expect(caught).toBe("refused with 409")
      const stranger = yield* petStoreEffectClient({ baseUrl: serving.url, key: "ps_none" })
      expect(yield* Effect.flip(stranger.pets.listPets({ urlParams: {} }))).toMatchObject({
        code: "invalid_key",
        status: 401
      })
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise))
})

describe("an answer that is not the operation's", () => {
  const PET = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'

  it.each([
    [200, "[]"],
    [200, PET],
    [201, "[]"],
    [201, '{"id":1}'],
    [204, ""]
  ])(
    "is no success for the Effect client: %i with %j for a pet to create",
    async (status, text) => {
      const answer = async () => new Response(status === 204 ? null : text, { status })
      const failure = await petStoreEffectClient({ baseUrl: "http://shop.test", key: "k" }).pipe(
        Effect.flatMap(({ pets }) =>
          Effect.flip(pets.createPet({ payload: { name: "Rex", categoryId: 1 } }))
        ),
        Effect.provideService(FetchHttpClient.Fetch, answer),
        Effect.provide(FetchHttpClient.layer),
        Effect.runPromise
      )
      expect(["ParseError", "ResponseError"]).toContain("_tag" in failure ? failure._tag : failure)
    }
  )
})

describe("the stream of events of the Effect client", () => {
  const followed = async () => {
    const events = await openEventShop()
    const served = await serve(
      { engine: { ...events.store.engine, feed: events.feed } },
      { port: 0 }
    )
    onTestFinished(() => served.close())
    return { ...events, url: served.url }
  }

  it("yields typed changes, and closes the stream when enough were taken", async () => {
    const { feed, key, url } = await followed()
    feed.add(5)
    const taken = await Effect.gen(function* () {
      const client = yield* petStoreEffectClient({ baseUrl: url, key })
      return yield* client.events({ after: 1, types: ["pet.created"] }).pipe(
        Stream.map((event) => (event.type === "resync" ? 0 : event.record.id)),
        Stream.take(3),
        Stream.runCollect
      )
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise)
    expect(Chunk.toReadonlyArray(taken)).toEqual([2, 3, 4])
    await expect.poll(() => feed.wakes.size).toBe(0)
  })

  it("is interrupted while nothing happens", async () => {
    const { feed, key, url } = await followed()
    const running = Effect.gen(function* () {
      const client = yield* petStoreEffectClient({ baseUrl: url, key })
      yield* Stream.runDrain(client.events())
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runFork)
    await expect.poll(() => feed.wakes.size).toBe(1)
    await Effect.runPromise(Fiber.interrupt(running))
    await expect.poll(() => feed.wakes.size).toBe(0)
  })

  it("fails with the refusal", async () => {
    const { url } = await followed()
    const failure = await Effect.gen(function* () {
      const client = yield* petStoreEffectClient({ baseUrl: url, key: "ps_none" })
      return yield* Effect.flip(Stream.runDrain(client.events()))
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise)
    expect(failure).toMatchObject({ name: "PetStoreError", code: "invalid_key" })
  })
})
