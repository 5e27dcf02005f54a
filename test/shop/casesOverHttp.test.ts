/** What went wrong in other services of this kind, tried on this one over HTTP, on each storage. */
import { connect } from "node:net"
import { type OpenPetStore, PetStore } from "@petstore/core"
import { insert, orders } from "@petstore/core/storage"
import { serve } from "@petstore/http-adapter"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { STORAGES, temporaryFolder } from "./storages.js"

type Init = { readonly headers?: Record<string, string>; readonly body?: unknown }

const clientOf = async (store: OpenPetStore) => {
  const { id } = await store.accounts.create({
    plan: "enterprise",
    perMinute: 100_000,
    perDay: 100_000
  })
  const { key } = await store.keys.create(id)
  const { url, close } = await serve(store, { port: 0 })
  onTestFinished(close)
  const send = async (call: string, { headers = {}, body }: Init = {}) => {
    const [method = "", target = ""] = call.split(" ")
    const response = await fetch(url + target, {
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
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === "" ? undefined : JSON.parse(text)
    }
  }
  /** Bytes as they are, on a connection of their own, until it is closed. */
  const raw = (lines: ReadonlyArray<string>, body = "") =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      let text = ""
      socket.setEncoding("utf8").on("data", (piece: string) => (text += piece))
      socket.on("error", reject).on("close", () => resolve(text))
      // Node closes a connection whose other half is closed, perhaps before the answer is there.
      socket.write(`${[...lines, `X-API-Key: ${key}`].join("\r\n")}\r\n\r\n${body}`)
    })
  return { key, url, send, raw }
}

type Client = Awaited<ReturnType<typeof clientOf>>

const codeOf = ({ status, json }: Awaited<ReturnType<Client["send"]>>): string =>
  status < 400 ? String(status) : `${status} ${String(json.code)}`

describe.each(STORAGES)("over HTTP, $name", ({ openShop }) => {
  const open = async () => {
    const { store } = await openShop()
    return { store, ...(await clientOf(store)) }
  }

  describe("requests", () => {
    test("an empty Host, and HTTP/1.0 without one, are answered; a missing one in HTTP/1.1 is 400", async () => {
      const { raw } = await open()
      expect(await raw(["GET /pets/1 HTTP/1.1", "Host:", "Connection: close"])).toMatch(
        /^HTTP\/1\.1 200 /
      )
      expect(await raw(["GET /pets/1 HTTP/1.0"])).toMatch(/^HTTP\/1\.1 200 /)
      expect(await raw(["GET /pets/1 HTTP/1.1", "Connection: close"])).toMatch(/^HTTP\/1\.1 400 /)
    })

    test.each([
      "/pets?%",
      "/pets/%E0%A4%A",
      "/pets/%00",
      "/%70ets/%31",
      "//",
      "/./pets",
      "/pets/../pets",
      "/pets;a=b",
      "/pets%2F1"
    ])(
      "GET %s is answered 200, 400 or 404 by an error of ours, with the limits",
      async (target) => {
        const { raw } = await open()
        const text = await raw([`GET ${target} HTTP/1.1`, "Host: x", "Connection: close"])
        expect(text).toMatch(/^HTTP\/1\.1 (200|400|404) /)
        expect(text).toMatch(/X-RateLimit-Remaining: \d+/)
        if (target === "/%70ets/%31") expect(text).toMatch(/^HTTP\/1\.1 200 /)
      }
    )

    test("a header field that drips in on a kept connection is cut off in the time for header fields", async () => {
      const { store, key } = await open()
      const { url, close } = await serve(store, {
        port: 0,
        headersTimeoutMs: 400,
        requestTimeoutMs: 400
      })
      onTestFinished(close)
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      let text = ""
      socket.setEncoding("utf8").on("data", (piece: string) => (text += piece))
      socket.on("error", () => undefined)
      const closed = new Promise((resolve) => socket.on("close", resolve))
      socket.write(`GET /pets/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`)
      await expect.poll(() => text).toContain('"name":"Goldie"')
      socket.write("GET /pets/1 HTTP/1.1\r\nX-A: ")
      const drip = setInterval(() => socket.write("a"), 50)
      await closed
      clearInterval(drip)
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 408"])
    })
  })

  describe("records", () => {
    test("ids of the last row are not given again, for any kind of record", async () => {
      const { send } = await open()
      for (const [list, body] of [
        ["/categories", { name: "Dogs" }],
        ["/pets", { name: "Rex", categoryId: 1 }],
        ["/store/orders", {}]
      ] as const) {
        const made = async () => (await send(`POST ${list}`, { body })).json.id
        const first = await made()
        expect((await send(`DELETE ${list}/${first}`)).status).toBe(204)
        expect(await made(), list).toBe(first + 1)
      }
    })

    test("names come back exactly as sent: emoji to the limit, combining marks, both directions, blanks around", async () => {
      const { send } = await open()
      const names = [
        "😀".repeat(200),
        "Café",
        "Cafe\u0301",
        "שלום עליכם",
        "مرحبا",
        "  two  blanks  ",
        "a\u200bb",
        "\u{1f468}\u200d\u{1f469}"
      ]
      for (const name of names) {
        const made = await send("POST /categories", { body: { name, description: name } })
        expect([made.status, made.json.name, made.json.description]).toEqual([201, name, name])
        expect((await send(`GET /categories/${made.json.id}`)).json.name).toBe(name)
      }
      for (const name of ["😀".repeat(201), " ", "\u3000", "\t\n", "a\u0000b", "\ud83d", ""]) {
        expect(
          codeOf(await send("POST /categories", { body: { name } })),
          JSON.stringify(name)
        ).toBe("422 validation_failed")
      }
    })

    test("__proto__, constructor and toString are names like any other, and no ids", async () => {
      const { send } = await open()
      for (const name of [
        "__proto__",
        "constructor",
        "toString",
        "hasOwnProperty",
        "null",
        "' OR 1=1 --"
      ]) {
        const category = await send("POST /categories", { body: { name } })
        const pet = await send("POST /pets", { body: { name, categoryId: category.json.id } })
        const found = await send(`GET /pets?name=${encodeURIComponent(name)}`)
        expect(found.json).toEqual([pet.json])
        expect(codeOf(await send(`GET /pets/${encodeURIComponent(name)}`))).toBe(
          "400 invalid_parameter"
        )
      }
      const polluted: { readonly polluted?: unknown } = {}
      await send("POST /pets", {
        body: '{"name":"a","categoryId":1,"__proto__":{"polluted":true}}'
      })
      await send("POST /pets", {
        body: '{"name":"a","categoryId":1,"constructor":{"prototype":{"polluted":true}}}'
      })
      expect(polluted.polluted).toBeUndefined()
    })

    test("in a patch absent is unchanged, null is removed, and the empty text is a text", async () => {
      const { send } = await open()
      await send("PATCH /categories/1", { body: { description: "x" } })
      const patch = async (body: unknown) => (await send("PATCH /categories/1", { body })).json
      expect(await patch({ name: "Cats" })).toEqual({ id: 1, name: "Cats", description: "x" })
      expect(await patch({ description: "" })).toEqual({ id: 1, name: "Cats", description: "" })
      expect(await patch({ description: null })).toEqual({ id: 1, name: "Cats" })
      expect(await patch({})).toEqual({ id: 1, name: "Cats" })
      expect(
        codeOf(await send("POST /categories", { body: { name: "a", description: null } }))
      ).toBe("422 validation_failed")
    })

    test("booleans and the largest numbers are read as they were written", async () => {
      const { store, send } = await open()
      const most = 2 ** 31 - 1
      await store.inventory.set(1, { quantity: most })
      expect((await send("GET /store/inventory/1")).text).toBe(
        `{"petId":1,"quantity":${most},"status":"available"}`
      )
      for (const complete of [true, false]) {
        const made = await send("POST /store/orders", { body: { quantity: most, complete } })
        expect(made.text).toBe(`{"id":${made.json.id},"quantity":${most},"complete":${complete}}`)
        expect((await send(`GET /store/orders/${made.json.id}`)).text).toBe(made.text)
      }
    })

    test("ids that JavaScript would round are no other record's", async () => {
      const { send } = await open()
      for (const id of ["9007199254740992", "9007199254740993", "9223372036854775807"]) {
        expect(codeOf(await send(`GET /pets/${id}`)), id).toBe("404 not_found")
        expect(codeOf(await send(`GET /pets?id=${id}`)), id).toBe("200")
        expect((await send(`GET /pets?id=${id}`)).json).toEqual([])
        expect(codeOf(await send("POST /store/orders", { body: `{"petId":${id}}` })), id).toBe(
          "422 unknown_pet"
        )
      }
      expect(codeOf(await send("GET /pets/9223372036854775808"))).toBe("400 invalid_parameter")
    })

    test.each([
      "2023-02-30T00:00:00Z",
      "2023-02-29T00:00:00Z",
      "2024-13-01T00:00:00Z",
      "2024-00-01T00:00:00Z",
      "2024-01-01T24:00:00Z",
      "2024-01-01T23:59:60Z",
      "1990-12-31T23:59:60Z",
      "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+14:00",
      "9999-12-31T23:59:59-00:01",
      "2024-01-01",
      "2024-01-01T00:00:00",
      "2024-01-01T00:00:00+25:00",
      "1",
      "tomorrow",
      "",
      1
    ])("shipDate %j is refused, and nothing is ordered", async (shipDate) => {
      const { store, send } = await open()
      expect(codeOf(await send("POST /store/orders", { body: { petId: 1, shipDate } }))).toBe(
        "422 validation_failed"
      )
      expect((await store.orders.list()).items).toEqual([])
      expect((await store.pets.get(1)).status).toBe("available")
    })

    test("instants outside of the years 1 to 9999 and leap seconds are refused with what they are, in bodies and filters", async () => {
      const { send } = await open()
      const years = "shipDate: expected an instant of the years 1 to 9999 in UTC, got "
      for (const [shipDate, says] of [
        ["0000-12-31T23:59:59Z", years],
        ["0001-01-01T00:00:00+14:00", years],
        ["9999-12-31T23:59:59-00:01", years],
        [
          "1990-12-31T23:59:60Z",
          "shipDate: expected seconds from 00 to 59, since leap seconds are not kept, got "
        ]
      ] as const) {
        await send("POST /store/orders", { body: {} })
        for (const call of ["POST /store/orders", "PUT /store/orders/1", "PATCH /store/orders/1"]) {
          const answer = await send(call, {
            body: { shipDate },
            headers: call.startsWith("PATCH")
              ? { "content-type": "application/merge-patch+json" }
              : {}
          })
          expect([codeOf(answer), answer.json.message]).toEqual([
            "422 validation_failed",
            `${says}${JSON.stringify(shipDate)}`
          ])
        }
        for (const filter of ["shipDateFrom", "shipDateTo"]) {
          const answer = await send(`GET /store/orders?${filter}=${encodeURIComponent(shipDate)}`)
          expect([codeOf(answer), answer.json.message]).toEqual([
            "400 invalid_parameter",
            `${says.replace("shipDate", filter)}${JSON.stringify(shipDate)}`
          ])
        }
      }
    })

    test("an order that an earlier version has shipped in the year 0 is read and listed, and keeps its date", async () => {
      const { store, send } = await open()
      const shipDateMs = -62_167_219_200_000
      await store.engine.write(() =>
        insert(orders, { petId: null, quantity: null, shipDateMs, complete: false, held: 0 })
      )
      const order = { id: 1, shipDate: "0000-01-01T00:00:00Z", complete: false }
      expect((await send("GET /store/orders/1")).json).toEqual(order)
      expect((await send("GET /store/orders?sort=shipDate")).json).toEqual([order])
      const patch = {
        body: { complete: true },
        headers: { "content-type": "application/merge-patch+json" }
      }
      expect((await send("PATCH /store/orders/1", patch)).json).toEqual({
        ...order,
        complete: true
      })
      expect((await send("GET /store/orders?shipDateTo=0001-01-01T00:00:00Z")).json).toHaveLength(1)
    })

    test("a ship date is the instant that was sent, in UTC", async () => {
      const { send } = await open()
      for (const [sent, told] of [
        ["2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00Z"],
        ["2024-01-01t00:00:00.123456z", "2024-01-01T00:00:00.123Z"],
        ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"]
      ]) {
        expect((await send("POST /store/orders", { body: { shipDate: sent } })).json.shipDate).toBe(
          told
        )
      }
    })
  })

  describe("lists", () => {
    test("have each row once, page by page, among equal sort keys and with rows that come between", async () => {
      const { send } = await open()
      for (let n = 0; n < 7; n++) {
        await send("POST /store/orders", { body: { shipDate: "2026-05-01T00:00:00Z" } })
        await send("POST /pets", { body: { name: "Same", categoryId: 1 } })
      }
      for (const list of [
        "/store/orders?sort=shipDate",
        "/store/orders?sort=-shipDate,-id",
        "/pets?sort=name",
        "/pets?sort=-name"
      ]) {
        const all: Array<number> = (await send(`GET ${list}`)).json.map(
          ({ id }: { readonly id: number }) => id
        )
        const seen: Array<number> = []
        let next: string | undefined = `${list}&limit=3`
        while (next !== undefined) {
          const page: Awaited<ReturnType<typeof send>> = await send(`GET ${next}`)
          seen.push(...page.json.map(({ id }: { readonly id: number }) => id))
          next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
          await send("POST /pets", { body: { name: "A new one", categoryId: 1 } })
        }
        expect(new Set(seen).size, list).toBe(seen.length)
        expect(seen, list).toEqual(expect.arrayContaining(all))
      }
    })

    test("always have a bound, however many ids are requested", async () => {
      const { send, raw } = await open()
      const ids = (count: number) =>
        Array.from({ length: count }, (_, n) => `id=${n + 1}`).join("&")
      expect(codeOf(await send(`GET /pets?${ids(100)}`))).toBe("200")
      expect(codeOf(await send(`GET /pets?${ids(101)}`))).toBe("400 invalid_parameter")
      expect(codeOf(await send(`GET /pets?${ids(1_500)}`))).toBe("414 uri_too_long")
      const text = await raw([`GET /pets?${ids(40_000)} HTTP/1.1`, "Host: x"]).catch(() => "cut")
      expect(text).toMatch(/^(HTTP\/1\.1 431 |cut)/)
      for (const cursor of ["x", "e30", "e30=", "bnVsbA", "WyJhIl0", "%00", "a".repeat(1_000)]) {
        expect(codeOf(await send(`GET /pets?cursor=${cursor}`)), cursor).toBe(
          "400 invalid_parameter"
        )
      }
    })
  })

  describe("orders", () => {
    test("of the last unit, 50 at once: one is placed, 49 are refused, and nothing is below zero", async () => {
      const { store, send } = await open()
      await store.inventory.set(1, { quantity: 1 })
      const all = await Promise.all(
        Array.from({ length: 50 }, () => send("POST /store/orders", { body: { petId: 1 } }))
      )
      expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(new Set(all.filter(({ status }) => status !== 201).map(codeOf))).toEqual(
        new Set(["409 insufficient_stock"])
      )
      expect((await store.inventory.get(1)).quantity).toBe(0)
    })

    test("of 3 and 3 out of 5, at once: one is placed, and 2 are left", async () => {
      const { store, send } = await open()
      await store.inventory.set(1, { quantity: 5 })
      const order = { body: { petId: 1, quantity: 3 } }
      const both = await Promise.all([
        send("POST /store/orders", order),
        send("POST /store/orders", order)
      ])
      expect(both.map(codeOf).toSorted()).toEqual(["201", "409 insufficient_stock"])
      expect((await store.inventory.get(1)).quantity).toBe(2)
    })

    test("that are half said, or ask for what is not there, never spoil a list", async () => {
      const { store, send } = await open()
      const gone = (await send("POST /pets", { body: { name: "Gone", categoryId: 1 } })).json.id
      await send(`DELETE /pets/${gone}`)
      await store.inventory.set(1, { quantity: 5 })
      const expected: ReadonlyArray<readonly [unknown, string]> = [
        [{}, "201"],
        [{ quantity: 7 }, "201"],
        [{ complete: true }, "201"],
        [{ petId: 1 }, "201"],
        [{ petId: 1, quantity: 898_379 }, "409 insufficient_stock"],
        [{ petId: gone }, "422 unknown_pet"],
        [{ petId: 1, quantity: 0 }, "422 validation_failed"],
        [{ petId: 1, quantity: -1 }, "422 validation_failed"],
        [{ petId: 1, quantity: 2 ** 31 }, "422 validation_failed"]
      ]
      for (const [body, code] of expected) {
        expect(codeOf(await send("POST /store/orders", { body })), JSON.stringify(body)).toBe(code)
      }
      expect((await send("GET /store/orders")).json).toHaveLength(4)
      expect((await send("GET /store/inventory")).json).toEqual([
        { petId: 1, quantity: 4, status: "available" }
      ])
      expect(codeOf(await send("DELETE /categories/1"))).toBe("409 category_in_use")
      expect(codeOf(await send("POST /pets", { body: { name: "a", categoryId: 99 } }))).toBe(
        "422 unknown_category"
      )
    })
  })
})

test("in a file, ids are not given again after a restart either, and old orders never meet a new pet", async () => {
  const filename = join(temporaryFolder(), "pets.db")
  const open = () => PetStore.open({ storage: SqliteStorage.layer({ filename }) })
  const first = await open()
  const { id: categoryId } = await first.categories.create({ name: "Fish" })
  await first.pets.create({ name: "One", categoryId })
  const two = await first.pets.create({ name: "Two", categoryId })
  const order = await first.orders.place({ petId: two.id, complete: true })
  await first.inventory.set(two.id, { quantity: 3 })
  await first.pets.remove(two.id)
  await first.close()
  const second = await open()
  onTestFinished(() => second.close())
  expect((await second.pets.create({ name: "Three", categoryId })).id).toBe(3)
  expect((await second.orders.get(order.id)).petId).toBe(2)
  await expect(second.inventory.get(3)).rejects.toMatchObject({ code: "not_found" })
  expect((await second.orders.place({})).id).toBe(order.id + 1)
})
