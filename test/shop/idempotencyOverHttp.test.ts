import { type OpenPetStore, StorageError } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { Either } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { handClock } from "./handClock.js"
import { STORAGES } from "./storages.js"

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const DAY_MS = 86_400_000

type Init = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

describe.each(STORAGES)("idempotency keys, $name", ({ openShop }) => {
  const open = async () => {
    const time = handClock(NOW_MS)
    const { store } = await openShop({ clock: time.clock })
    const newKey = async () => {
      const { id } = await store.accounts.create({
        plan: "enterprise",
        perMinute: 10_000,
        perDay: 10_000
      })
      return (await store.keys.create(id)).key
    }
    const key = await newKey()
    const listen = async (engine: OpenPetStore["engine"] = store.engine) => {
      const { url, close } = await serve({ engine }, { port: 0 })
      onTestFinished(close)
      return url
    }
    const url = await listen()
    const send = async (
      target: string,
      { method = "POST", headers = {}, body }: Init = {},
      base = url
    ) => {
      const response = await fetch(base + target, {
        method,
        headers: {
          "x-api-key": key,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      return { response, text: await response.text() }
    }
    const place = (
      name: string,
      body: unknown = { petId: 1 },
      headers: Record<string, string> = {}
    ) => send("/store/orders", { headers: { "idempotency-key": name, ...headers }, body })
    const orders = async () => (await store.orders.list({ limit: 100 })).items
    return { store, time, listen, newKey, send, place, orders }
  }

  const replayed = ({ response }: { readonly response: Response }) =>
    response.headers.get("idempotent-replayed")
  const codeOf = ({ response, text }: { readonly response: Response; readonly text: string }) =>
    `${response.status} ${String(JSON.parse(text).code)}`

  test("a repeated order is made once, and its response is replayed to the byte", async () => {
    const { store, place, orders } = await open()
    await store.inventory.set(1, { quantity: 5 })
    const first = await place("k1")
    await store.orders.update(1, { complete: true })
    const again = await place("k1")
    expect([first.response.status, replayed(first)]).toEqual([201, null])
    expect([again.response.status, replayed(again)]).toEqual([201, "true"])
    expect(again.text).toBe(first.text)
    for (const name of ["etag", "location", "content-type", "content-length", "cache-control"]) {
      expect(again.response.headers.get(name), name).toBe(first.response.headers.get(name))
    }
    expect(await orders()).toHaveLength(1)
    expect((await store.inventory.get(1)).quantity).toBe(4)
  })

  test("a replay is counted, and has a request id and limits of its own", async () => {
    const { place } = await open()
    const [first, again] = [
      await place("k1"),
      await place("k1", { petId: 1 }, { "x-request-id": "mine" })
    ]
    const left = (answer: typeof first) =>
      Number(answer.response.headers.get("x-ratelimit-remaining"))
    expect(left(again)).toBe(left(first) - 1)
    expect(again.response.headers.get("x-request-id")).toBe("mine")
  })

  test("20 equal orders at once with one key make one order, and all get the same answer", async () => {
    const { store, place, orders } = await open()
    await store.inventory.set(1, { quantity: 50 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => place("k1")))
    expect(new Set(answers.map(({ response, text }) => `${response.status} ${text}`)).size).toBe(1)
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(await orders()).toHaveLength(1)
  })

  test("20 equal orders at once that are refused all get the same refusal, and a retry too, whatever the stock by then", async () => {
    const { store, place, orders } = await open()
    await store.inventory.set(1, { quantity: 0 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => place("k1")))
    expect(new Set(answers.map(codeOf))).toEqual(new Set(["409 insufficient_stock"]))
    await store.inventory.set(1, { quantity: 9 })
    const again = await place("k1")
    expect([codeOf(again), replayed(again), again.text]).toEqual([
      "409 insufficient_stock",
      "true",
      answers[0]?.text
    ])
    expect((await place("k2")).response.status).toBe(201)
    expect(await orders()).toHaveLength(1)
  })

  test("white space and the order of members make no other request; another value does, and another condition", async () => {
    const { store, send, place, orders } = await open()
    await store.inventory.set(1, { quantity: 5 })
    await place("k1", '{"petId":1,"quantity":2}')
    expect(replayed(await place("k1", ' { "quantity" : 2, "petId":1}'))).toBe("true")
    expect(codeOf(await place("k1", { petId: 1, quantity: 3 }))).toBe("422 idempotency_mismatch")
    expect(codeOf(await place("k1", {}))).toBe("422 idempotency_mismatch")
    expect(await orders()).toHaveLength(1)
    const rename = (ifMatch: string) =>
      send("/pets/1", {
        method: "PATCH",
        headers: { "idempotency-key": "k1", "if-match": ifMatch },
        body: { name: "Max" }
      })
    expect(codeOf(await rename('"1-9"'))).toBe("412 precondition_failed")
    expect(replayed(await rename('"1-9"'))).toBe("true")
    expect(codeOf(await rename("*"))).toBe("422 idempotency_mismatch")
  })

  test("one key means another request for another account, operation or record", async () => {
    const { newKey, send, place, orders } = await open()
    const headers = { "idempotency-key": "k1" }
    await place("k1", {})
    expect(replayed(await place("k1", {}, { "x-api-key": await newKey() }))).toBe(null)
    expect(await orders()).toHaveLength(2)
    for (const target of ["/store/orders/1", "/store/orders/2"]) {
      const deleted = await send(target, { method: "DELETE", headers })
      expect([deleted.response.status, replayed(deleted)]).toEqual([204, null])
    }
    const again = await send("/store/orders/2", { method: "DELETE", headers })
    expect([again.response.status, again.text, replayed(again)]).toEqual([204, "", "true"])
    expect((await send("/store/orders/2", { method: "DELETE" })).response.status).toBe(404)
    expect(
      replayed(
        await send("/store/inventory/1", {
          method: "PUT",
          headers: { ...headers },
          body: { quantity: 3 }
        })
      )
    ).toBe(null)
    const set = await send("/store/inventory/1", { method: "PUT", headers, body: { quantity: 3 } })
    expect([set.response.status, replayed(set), set.response.headers.get("location")]).toEqual([
      201,
      "true",
      "/store/inventory/1"
    ])
  })

  test("what never came to a decision is not remembered: invalid bodies, and a storage that fails", async () => {
    const { store, place, send, listen, orders } = await open()
    expect(codeOf(await place("k1", { petId: "x" }))).toBe("422 validation_failed")
    const failing = await listen({
      ...store.engine,
      write: () => Either.left(new StorageError({ reason: "Busy", detail: "" }))
    })
    const headers = { "idempotency-key": "k1" }
    const failed = await send("/store/orders", { headers, body: { petId: 1 } }, failing)
    expect(codeOf(failed)).toBe("503 unavailable")
    const placed = await place("k1")
    expect([placed.response.status, replayed(placed)]).toEqual([201, null])
    expect(await orders()).toHaveLength(1)
  })

  test("a response is stored for 24 hours, to the millisecond, and expired ones are removed with new ones", async () => {
    const { store, time, place, orders } = await open()
    for (let nth = 0; nth < 20; nth++) await place(`k${nth}`, {})
    time.pass(DAY_MS - 1)
    expect(replayed(await place("k1", {}))).toBe("true")
    time.pass(1)
    expect(replayed(await place("k1", {}))).toBe(null)
    expect(await orders()).toHaveLength(21)
    for (let nth = 0; nth < 6; nth++) await place(`other${nth}`, {})
    const { idempotency, EVERY_ROW, scan } = await import("@petstore/core/storage")
    const kept = store.engine.direct?.read(() => scan(idempotency, EVERY_ROW, { limit: 100 }))
    expect(kept !== undefined && Either.isRight(kept) ? kept.right.length : undefined).toBe(7)
  })

  test.each(["", "a b", "é", "x".repeat(256)])(
    "%j is no key, and nothing is done",
    async (name) => {
      const { place, orders } = await open()
      expect(codeOf(await place(name))).toBe("400 invalid_parameter")
      expect(await orders()).toHaveLength(0)
    }
  )

  test("255 characters are a key; a key on a GET means nothing", async () => {
    const { send, place } = await open()
    const longest = "~".repeat(255)
    await place(longest)
    expect(replayed(await place(longest))).toBe("true")
    const read = await send("/pets/1", { method: "GET", headers: { "idempotency-key": "a b" } })
    expect([read.response.status, replayed(read)]).toEqual([200, null])
  })
})
