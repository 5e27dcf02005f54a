/** Calls of the client that a signal calls off. */
import { describe, expect, it } from "vitest"
import {
  fetchTransport,
  petStoreClient,
  type Transport,
  webTransport
} from "../../src/client/index.js"
import { storeTransport } from "../../src/index.js"
import { openShop } from "../ShopServer.js"

const REASON = new Error("not needed any more")

const never: Transport = () => new Promise(() => undefined)

const busy: Transport = async () => ({
  status: 503,
  header: (name) => (name === "retry-after" ? "60" : null),
  text: '{"code":"unavailable","message":"busy","status":503}'
})

describe("a client with a signal", () => {
  it("rejects with its reason while it waits for an answer, whatever the transport", async () => {
    const controller = new AbortController()
    const shop = petStoreClient({ transport: never, key: "k" }).withSignal(controller.signal)
    const calls = [
      shop.pets.list(),
      shop.detailed.pets.get(1),
      shop.categories.create({ name: "Cats" })
    ]
    controller.abort(REASON)
    for (const call of calls) await expect(call).rejects.toBe(REASON)
  })

  it("rejects with its reason while it waits to try again, and waits with the platform's timer no longer", async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((each) => each === "Timeout").length
    const before = timers()
    const controller = new AbortController()
    const onRetry = () => queueMicrotask(() => controller.abort(REASON))
    const shop = petStoreClient({ transport: busy, key: "k", onRetry })
    await expect(shop.withSignal(controller.signal).pets.list()).rejects.toBe(REASON)
    expect(timers()).toBe(before)
  })

  it("sends nothing once the signal has aborted, and goes through no further page", async () => {
    let calls = 0
    const counting: Transport = (call) => {
      calls++
      return busy(call)
    }
    const shop = petStoreClient({ transport: counting, key: "k" }).withSignal(
      AbortSignal.abort(REASON)
    )
    await expect(shop.pets.list()).rejects.toBe(REASON)
    await expect(shop.pets.all()[Symbol.asyncIterator]().next()).rejects.toBe(REASON)
    expect(calls).toBe(0)
  })

  it("goes by both signals where it was given two, and leaves the client it came from alone", async () => {
    const server = await openShop()
    const client = petStoreClient({ transport: storeTransport(server.store), key: server.key })
    const controller = new AbortController()
    const both = client.withSignal(controller.signal).withSignal(new AbortController().signal)
    expect(await both.pets.list()).toMatchObject({ items: [{ id: 1 }] })
    controller.abort(REASON)
    await expect(both.pets.list()).rejects.toBe(REASON)
    expect(await client.pets.list()).toMatchObject({ items: [{ id: 1 }] })
  })

  it.each<readonly [string, (seen: (signal: AbortSignal | null | undefined) => void) => Transport]>(
    [
      [
        "fetch",
        (seen) =>
          fetchTransport("http://shop.test", {
            fetch: (_url, { signal }) => {
              seen(signal)
              return new Promise(() => undefined)
            }
          })
      ],
      [
        "a web handler",
        (seen) =>
          webTransport(({ signal }) => {
            seen(signal)
            return new Promise(() => undefined)
          })
      ],
      [
        "a transport of the caller's own",
        (seen) =>
          ({ signal }) => {
            seen(signal)
            return new Promise(() => undefined)
          }
      ]
    ]
  )("ends the request itself, with its reason: over %s", async (_, transportOf) => {
    const signals: Array<AbortSignal | null | undefined> = []
    const transport = transportOf((signal) => signals.push(signal))
    const controller = new AbortController()
    const call = petStoreClient({ transport, key: "k" }).withSignal(controller.signal).pets.list()
    await expect.poll(() => signals).toHaveLength(1)
    expect(signals[0]?.aborted).toBe(false)
    controller.abort(REASON)
    await expect(call).rejects.toBe(REASON)
    expect([signals[0]?.aborted, signals[0]?.reason]).toEqual([true, REASON])
  })
})
