import { beforeEach, describe, expect, it } from "vitest"
import { errorOf, JSON_BODY, openShop, type ShopServer } from "../ShopServer.js"

let shop: ShopServer

beforeEach(async () => {
  shop = await openShop()
})

const change = (
  ifMatch: string,
  method = "PATCH",
  target = "/pets/1",
  body: unknown = { name: "Max" }
) => shop.sendJson(target, body, { method, headers: { "if-match": ifMatch } })

describe("If-None-Match", () => {
  it.each(['"1-1"', 'W/"1-1"', '"0-9", "1-1"', "*"])(
    "%s is answered 304 while the record is as it was",
    async (tag) => {
      const response = await shop.send("/pets/1", { headers: { "if-none-match": tag } })
      expect([response.status, await response.text()]).toEqual([304, ""])
      expect(response.headers.get("etag")).toBe('"1-1"')
      expect(response.headers.has("content-type")).toBe(false)
    }
  )

  it("is answered in full once the record has changed", async () => {
    await change('"1-1"')
    const response = await shop.send("/pets/1", { headers: { "if-none-match": '"1-1"' } })
    expect([response.status, response.headers.get("etag")]).toEqual([200, '"1-2"'])
  })
})

describe("If-Match", () => {
  it("lets a change pass while the record has one of the tags", async () => {
    expect((await change('"1-1"')).status).toBe(200)
    expect((await change('"1-1", "1-2"')).status).toBe(200)
    expect((await change("*")).status).toBe(200)
  })

  it.each(["1-1", "", '"1-1', '"1-1" "1-2"', '*, "1-1"', "**"])(
    "%j is no list of tags",
    async (field) => {
      expect(await errorOf(await change(field))).toMatch(
        /^400 invalid_parameter: If-Match: expected entity tags/
      )
      expect((await shop.store.pets.get(1)).name).toBe("Rex")
    }
  )

  it.each(['"1-2"', 'W/"1-1"', '"2-1"', '""', '"1-01"', '"colour"'])(
    "%j is met by no state of the record",
    async (tag) => {
      expect(await errorOf(await change(tag))).toMatch(/^412 precondition_failed/)
      expect((await shop.store.pets.get(1)).name).toBe("Rex")
    }
  )

  it("is checked for PUT and DELETE too", async () => {
    const replaced = await change('"1-9"', "PUT", "/pets/1", { name: "Max", categoryId: 1 })
    expect(replaced.status).toBe(412)
    const deleted = await shop.send("/pets/1", {
      method: "DELETE",
      headers: { "if-match": '"1-9"' }
    })
    expect(deleted.status).toBe(412)
    expect(
      (await shop.send("/pets/1", { method: "DELETE", headers: { "if-match": '"1-1"' } })).status
    ).toBe(204)
  })

  it("keeps a PUT from making an entry, and from undoing a sale", async () => {
    const set = (ifMatch: string) => change(ifMatch, "PUT", "/store/inventory/1", { quantity: 9 })
    expect((await set("*")).status).toBe(412)
    expect((await set('"1-1"')).status).toBe(412)
    await shop.store.inventory.set(1, { quantity: 3 })
    await shop.store.orders.place({ petId: 1 })
    expect((await set('"1-1"')).status).toBe(412)
    expect((await shop.store.inventory.get(1)).quantity).toBe(2)
    expect((await set("*")).status).toBe(200)
  })

  it("a body is judged before the condition, which is part of the change", async () => {
    const response = await shop.send("/pets/1", {
      method: "PUT",
      headers: { ...JSON_BODY, "if-match": '"1-9"' },
      body: "{"
    })
    expect(response.status).toBe(400)
  })
})

describe("If-None-Match: * on a change", () => {
  const set = (headers: Record<string, string>) =>
    shop.sendJson("/store/inventory/1", { quantity: 3 }, { method: "PUT", headers })

  it("makes an entry, and changes none that is there", async () => {
    expect((await set({ "if-none-match": "*" })).status).toBe(201)
    expect((await set({ "if-none-match": "*" })).status).toBe(412)
    expect((await set({ "if-none-match": "*", "if-match": '"1-1"' })).status).toBe(412)
  })

  it("is met by no record that has an id already", async () => {
    const change = (target: string) =>
      shop.sendJson(target, { name: "Max" }, { method: "PATCH", headers: { "if-none-match": "*" } })
    expect((await change("/pets/1")).status).toBe(412)
    expect((await change("/pets/2")).status).toBe(404)
  })
})

describe("conditions that the host demands", () => {
  beforeEach(async () => {
    shop = await openShop({ web: { requireConditions: true } })
  })

  it.each([
    ["PUT", "/pets/1", { name: "Max", categoryId: 1 }],
    ["PATCH", "/pets/1", { name: "Max" }],
    ["PUT", "/categories/1", { name: "Cats" }],
    ["PUT", "/store/inventory/1", { quantity: 3 }],
    ["DELETE", "/pets/1", undefined]
  ])("%s %s is 428 without one, and passes with one", async (method, target, body) => {
    const send = (headers: Record<string, string> = {}) =>
      body === undefined
        ? shop.send(target, { method, headers })
        : shop.sendJson(target, body, { method, headers })
    if (target.includes("inventory")) await shop.store.inventory.set(1, { quantity: 1 })
    expect(await errorOf(await send())).toMatch(/^428 precondition_required: If-Match is needed/)
    expect((await send({ "if-match": '"1-1"' })).ok).toBe(true)
  })

  it("are not asked of what makes or reads a record", async () => {
    expect((await shop.sendJson("/categories", { name: "Cats" })).status).toBe(201)
    expect((await shop.send("/pets/1")).status).toBe(200)
    const made = await shop.sendJson(
      "/store/inventory/1",
      { quantity: 3 },
      { method: "PUT", headers: { "if-none-match": "*" } }
    )
    expect(made.status).toBe(201)
  })
})
