import { describe, expect, it } from "vitest"
import { accepted, readAccept } from "../../src/fields/Accept.js"
import { errorOf, openShop } from "../ShopServer.js"

describe("Accept", () => {
  it.each([
    "*/*",
    "application/*",
    "application/json",
    "Application/JSON; charset=utf-8",
    "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
    "application/json;q=0.001",
    "text/html;q=0.9,application/problem+json",
    "",
    ", ,",
    "nonsense"
  ])("%j can read what is written here", (field) => expect(readAccept(field).any).toBe(true))

  it.each([
    "text/html",
    "image/*, text/*",
    "application/xml",
    "application/json;q=0",
    "application/json;q=0, text/html, application/problem+json;q=0.0",
    "*/*;q=0"
  ])("%j can read nothing that is written here", (field) =>
    expect(readAccept(field).any).toBe(false)
  )

  it.each([
    ["application/problem+json", true],
    ["application/json, application/problem+json", true],
    ["application/json, application/problem+json;q=0.5", false],
    ["application/problem+json;q=0, */*", false],
    ["*/*", false],
    ["application/*", false]
  ])("with %j, errors as problem details: %s", (field, expected) =>
    expect(readAccept(field).problem).toBe(expected)
  )

  it("is remembered for some fields and no more", () => {
    for (let n = 0; n < 1_000; n++) expect(accepted(`text/x-${n}`).any).toBe(false)
    expect(accepted(undefined).any).toBe(true)
  })
})

describe("a request for something else than JSON", () => {
  it("is 406, in JSON all the same, and does nothing", async () => {
    const shop = await openShop()
    const response = await shop.sendJson(
      "/categories",
      { name: "Cats" },
      { headers: { accept: "text/html" } }
    )
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await errorOf(response)).toMatch(
      /^406 not_acceptable: Accept: expected application\/json/
    )
    expect((await shop.store.categories.list()).items).toHaveLength(1)
  })

  it("is still refused first for its key or its path", async () => {
    const shop = await openShop()
    const headers = { accept: "text/html" }
    expect((await shop.send("/nowhere", { headers })).status).toBe(404)
    expect((await shop.sendBare("/pets", { headers })).status).toBe(401)
  })
})

describe("a request target", () => {
  it("may have 8,192 bytes and no more, unless the host has set another bound", async () => {
    const target = `/pets?${"a&".repeat(4_096)}`
    const sized = (length: number) => target.slice(0, length - "http://shop.test".length)
    const shop = await openShop()
    expect(await errorOf(await shop.send(sized(8_192)))).toMatch(/^400 unknown_parameter/)
    expect(await errorOf(await shop.send(sized(8_193)))).toMatch(
      /^414 uri_too_long: path and query are too long: expected at most 8192 bytes/
    )
    const narrow = await openShop({ web: { maxTargetBytes: 30 } })
    expect((await narrow.send("/pets?limit=1")).status).toBe(200)
    expect((await narrow.send("/pets?limit=1&id=1")).status).toBe(414)
  })
})
