import { beforeEach, describe, expect, it } from "vitest"
import { errorOf, openShop, pluck, type ShopServer } from "../ShopServer.js"

let shop: ShopServer

beforeEach(async () => {
  shop = await openShop()
})

const put = { method: "PUT" }
const patch = { method: "PATCH" }
const del = { method: "DELETE" }

describe("pets", () => {
  it("are created, with a place and a tag", async () => {
    const response = await shop.sendJson("/pets", {
      name: "Tom “🐈”\n",
      categoryId: 1,
      status: "pending"
    })
    expect(response.status).toBe(201)
    expect(response.headers.get("location")).toBe("/pets/2")
    expect(response.headers.get("etag")).toBe('"2-1"')
    expect(response.headers.get("content-type")).toBe("application/json")
    const text = await response.text()
    expect(text).toBe('{"id":2,"name":"Tom “🐈”\\n","categoryId":1,"status":"pending"}')
    expect(response.headers.get("content-length")).toBe(
      String(new TextEncoder().encode(text).byteLength)
    )
    expect(await (await shop.send("/pets/2")).text()).toBe(text)
  })

  it("are replaced, patched and deleted", async () => {
    const replaced = await shop.sendJson("/pets/1", { id: 1, name: "Max", categoryId: 1 }, put)
    expect(await replaced.json()).toEqual({
      id: 1,
      name: "Max",
      categoryId: 1,
      status: "available"
    })
    expect(replaced.headers.get("etag")).toBe('"1-2"')
    const patched = await shop.sendJson("/pets/1", { status: "sold" }, patch)
    expect(await patched.json()).toEqual({ id: 1, name: "Max", categoryId: 1, status: "sold" })
    expect(patched.headers.get("x-stability")).toBe("beta")
    const merged = await shop.sendJson(
      "/pets/1",
      { name: "Moritz" },
      { ...patch, headers: { "content-type": "application/merge-patch+json" } }
    )
    expect(await merged.json()).toEqual({ id: 1, name: "Moritz", categoryId: 1, status: "sold" })
    const deleted = await shop.send("/pets/1", del)
    expect([deleted.status, await deleted.text(), deleted.headers.get("content-type")]).toEqual([
      204,
      "",
      null
    ])
    expect(await errorOf(await shop.send("/pets/1"))).toBe("404 not_found: there is no pet 1")
  })

  it("are listed by filters, of which one value works like several", async () => {
    for (const [name, status] of [
      ["Rexona", "sold"],
      ["Äffin", "pending"],
      ["Bo", "sold"]
    ]) {
      await shop.sendJson("/pets", { name, categoryId: 1, status })
    }
    const names = async (query: string) =>
      (await pluck(await shop.send(`/pets${query}`), "name")).join(" ")
    expect(await names("")).toBe("Rex Rexona Äffin Bo")
    expect(await names("?status=sold")).toBe("Rexona Bo")
    expect(await names("?status=sold&status=pending")).toBe("Rexona Äffin Bo")
    expect(await names("?id=4")).toBe("Bo")
    expect(await names("?id=4&id=1&id=999&id=9007199254740993")).toBe("Rex Bo")
    expect(await names("?name=re")).toBe("Rex Rexona")
    expect(await names("?name=%C3%A4FF")).toBe("Äffin")
    expect(await names("?sort=-name&limit=2")).toBe("Äffin Rexona")
    expect(await names("?categoryId=2")).toBe("")
    expect(await names("?&status=sold&")).toBe("Rexona Bo")
  })

  it("a plus in a query is a space", async () => {
    await shop.sendJson("/pets", { name: "Rex the dog", categoryId: 1 })
    const found = await (await shop.send("/pets?name=rex+the")).json()
    expect(found).toEqual([{ id: 2, name: "Rex the dog", categoryId: 1, status: "available" }])
  })
})

describe("pages", () => {
  it("follow each other by Link, each row once, with the query and the base path in it", async () => {
    const based = await openShop({ web: { basePath: "/v1" } })
    for (let n = 2; n <= 7; n++) await based.store.pets.create({ name: "same", categoryId: 1 })
    const seen: Array<unknown> = []
    let target: string | undefined = "/v1/pets?sort=-name&limit=3&total=true&status=available"
    while (target !== undefined) {
      const response: Response = await based.send(target)
      expect(response.status).toBe(200)
      expect(response.headers.get("x-total-count")).toBe("7")
      seen.push(...(await pluck(response, "id")))
      const link: string = response.headers.get("link") ?? ""
      expect(link).toContain(
        '</v1/pets?sort=-name&limit=3&total=true&status=available>; rel="first"'
      )
      target = /<([^>]+)>; rel="next"/.exec(link)?.[1]
    }
    expect(seen).toEqual([2, 3, 4, 5, 6, 7, 1])
  })

  it("say how many there are only when asked", async () => {
    expect((await shop.send("/pets")).headers.has("x-total-count")).toBe(false)
    expect((await shop.send("/pets?total=false")).headers.has("x-total-count")).toBe(false)
  })

  it("write into links only what a link can hold", async () => {
    const link = (await shop.send("/pets?name=%22%3E%0D%0Aé<")).headers.get("link")
    expect(link).toBe('</pets?name=%22%3E%0D%0A%C3%A9%3C>; rel="first"')
  })
})

describe("categories", () => {
  it("are created, replaced, patched, listed and deleted", async () => {
    const created = await shop.sendJson("/categories", { name: "cats", description: "" })
    expect(created.headers.get("location")).toBe("/categories/2")
    expect(await created.text()).toBe('{"id":2,"name":"cats","description":""}')
    expect(
      await (await shop.sendJson("/categories/2", { description: null }, patch)).json()
    ).toEqual({
      id: 2,
      name: "cats"
    })
    expect(await (await shop.sendJson("/categories/2", { name: "Cats" }, put)).json()).toEqual({
      id: 2,
      name: "Cats"
    })
    expect(await (await shop.send("/categories?name=c")).json()).toEqual([{ id: 2, name: "Cats" }])
    expect((await shop.send("/categories/2", del)).status).toBe(204)
    expect((await shop.send("/categories/2")).status).toBe(404)
  })
})

describe("orders", () => {
  it("are placed, changed and cancelled, and the pet's status follows", async () => {
    const statusOfPet = async () => (await shop.store.pets.get(1)).status
    const placed = await shop.sendJson("/store/orders", {
      petId: 1,
      shipDate: "2026-01-31t09:30:00.5+01:00"
    })
    expect(placed.status).toBe(201)
    expect(placed.headers.get("location")).toBe("/store/orders/1")
    expect(await placed.json()).toEqual({
      id: 1,
      petId: 1,
      quantity: 1,
      shipDate: "2026-01-31T08:30:00.500Z",
      complete: false
    })
    expect(await statusOfPet()).toBe("pending")
    expect((await shop.send("/store/orders/1", del)).status).toBe(204)
    expect(await statusOfPet()).toBe("available")
    expect(await (await shop.sendJson("/store/orders", {})).json()).toEqual({
      id: 2,
      complete: false
    })
    expect(
      await (await shop.sendJson("/store/orders/2", { petId: 1, complete: true }, patch)).json()
    ).toEqual({
      id: 2,
      petId: 1,
      quantity: 1,
      complete: true
    })
    expect(await statusOfPet()).toBe("sold")
    expect(await errorOf(await shop.send("/store/orders/2", del))).toMatch(/^409 order_completed/)
    expect(await errorOf(await shop.sendJson("/store/orders/2", {}, put))).toMatch(
      /^409 order_completed/
    )
  })

  it("are listed by pet, completion and ship date", async () => {
    await shop.sendJson("/store/orders", { shipDate: "2026-01-02T00:00:00Z", complete: true })
    await shop.sendJson("/store/orders", { shipDate: "2026-01-01T00:00:00Z" })
    const ids = async (query: string) => pluck(await shop.send(`/store/orders${query}`), "id")
    expect(await ids("")).toEqual([1, 2])
    expect(await ids("?complete=true")).toEqual([1])
    expect(await ids("?sort=shipDate")).toEqual([2, 1])
    expect(await ids("?shipDateFrom=2026-01-02T01:00:00%2B01:00")).toEqual([1])
    expect(await ids("?petId=1")).toEqual([])
  })
})

describe("inventory", () => {
  it("is made by the first PUT and changed by the next", async () => {
    const made = await shop.sendJson("/store/inventory/1", { quantity: 3 }, put)
    expect(made.status).toBe(201)
    expect(made.headers.get("location")).toBe("/store/inventory/1")
    expect(await made.text()).toBe('{"petId":1,"quantity":3,"status":"available"}')
    const changed = await shop.sendJson("/store/inventory/1", { quantity: 0 }, put)
    expect(changed.status).toBe(200)
    expect(await changed.json()).toEqual({ petId: 1, quantity: 0, status: "sold" })
    expect(await (await shop.send("/store/inventory?status=sold")).json()).toHaveLength(1)
    expect(await (await shop.send("/store/inventory/1")).json()).toEqual({
      petId: 1,
      quantity: 0,
      status: "sold"
    })
    expect(await errorOf(await shop.sendJson("/store/inventory/9", { quantity: 0 }, put))).toMatch(
      /^404 not_found: there is no pet 9/
    )
    expect(await errorOf(await shop.send("/store/inventory/9"))).toMatch(
      /^404 not_found: there is no inventory entry for pet 9/
    )
  })

  it("is not set beyond the capacity for the units on order, which is a conflict and not an invalid value", async () => {
    const most = 2 ** 31 - 1
    await shop.sendJson("/store/inventory/1", { quantity: 3 }, put)
    await shop.sendJson("/store/orders", { petId: 1, quantity: 2 })
    const answer = await shop.sendJson("/store/inventory/1", { quantity: most }, put)
    expect(await errorOf(answer)).toMatch(
      /^409 stock_limit_exceeded: quantity: 2147483647 of pet 1 wanted, at most 2147483645 while 2 on order/
    )
    expect((await shop.sendJson("/store/inventory/1", { quantity: most + 1 }, put)).status).toBe(
      422
    )
    expect((await shop.sendJson("/store/inventory/1", { quantity: most - 2 }, put)).status).toBe(
      200
    )
  })
})

describe("HEAD and OPTIONS", () => {
  it("HEAD has the status and fields of GET, without the body, and counts once", async () => {
    const get = await shop.send("/pets/1")
    const head = await shop.send("/pets/1", { method: "HEAD" })
    expect([head.status, await head.text()]).toEqual([200, ""])
    for (const name of [
      "content-length",
      "content-type",
      "etag",
      "deprecation",
      "sunset",
      "link"
    ]) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    const left = (response: Response) => Number(response.headers.get("x-ratelimit-remaining"))
    expect(left(get) - left(head)).toBe(1)
  })

  it("OPTIONS names the methods of a path, without a key and without being counted", async () => {
    const before = Number((await shop.send("/pets")).headers.get("x-ratelimit-remaining"))
    const response = await shop.sendBare("/pets/1", { method: "OPTIONS" })
    expect([response.status, response.headers.get("allow")]).toEqual([
      204,
      "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"
    ])
    expect(response.headers.get("x-ratelimit-limit")).toBe("60")
    expect(response.headers.get("x-ratelimit-remaining")).toBe("60")
    expect(response.headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/)
    await shop.send("/pets", { method: "OPTIONS" })
    expect(Number((await shop.send("/pets")).headers.get("x-ratelimit-remaining"))).toBe(before - 1)
  })
})

describe("outside the API", () => {
  it("health needs no key and counts nothing", async () => {
    const live = await shop.sendBare("/health/live")
    expect([live.status, await live.json(), live.headers.has("x-ratelimit-limit")]).toEqual([
      200,
      { status: "ok" },
      false
    ])
    const unready = await openShop({ web: { isReady: () => false, basePath: "/v1" } })
    expect((await unready.sendBare("/health/ready")).status).toBe(503)
    expect((await unready.sendBare("/v1/health/live")).status).toBe(200)
    expect((await unready.sendBare("/health/ready", { method: "POST" })).status).toBe(405)
  })

  it("a base path precedes every path, and other paths are not found", async () => {
    const based = await openShop({ web: { basePath: "/api/v1" } })
    expect((await based.send("/api/v1/pets/1")).status).toBe(200)
    expect((await based.send("/pets/1")).status).toBe(404)
    expect(
      (await based.sendJson("/api/v1/pets", { name: "a", categoryId: 1 })).headers.get("location")
    ).toBe("/api/v1/pets/2")
    await expect(openShop({ web: { basePath: "/v1/" } })).rejects.toThrow("no slash at its end")
  })
})
