import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { openApiDocument, openApiText } from "../../src/index.js"
import { toWorkerHandler } from "../../src/web/toWorkerHandler.js"
import { errorOf, openShop, type ShopServer } from "../ShopServer.js"

let shop: ShopServer

beforeEach(async () => {
  shop = await openShop()
})

describe("/openapi.json", () => {
  it("is the document, for everyone and free", async () => {
    const response = await shop.sendBare("/openapi.json")
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.has("x-ratelimit-limit")).toBe(false)
    expect(await response.text()).toBe(openApiText(openApiDocument()))
  })

  it("has a strong tag of its content, and is 304 for those who have it", async () => {
    const tag = (await shop.sendBare("/openapi.json")).headers.get("etag") ?? ""
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    const again = await shop.sendBare("/openapi.json", { headers: { "if-none-match": tag } })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag])
    const other = await openShop({ web: { basePath: "/v1" } })
    const elsewhere = await other.sendBare("/v1/openapi.json")
    expect(elsewhere.headers.get("etag")).not.toBe(tag)
    expect((await other.sendBare("/openapi.json")).headers.get("etag")).toBe(
      elsewhere.headers.get("etag")
    )
  })

  it("answers HEAD and OPTIONS, and no other method", async () => {
    const head = await shop.sendBare("/openapi.json", { method: "HEAD" })
    expect([head.status, await head.text()]).toEqual([200, ""])
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100_000)
    expect((await shop.sendBare("/openapi.json", { method: "OPTIONS" })).status).toBe(204)
    const post = await shop.sendBare("/openapi.json", { method: "POST", body: "{}" })
    expect(post.headers.get("allow")).toBe("GET, HEAD, OPTIONS")
    expect(await errorOf(post)).toMatch(/^405 method_not_allowed/)
  })
})

describe("/docs", () => {
  it("is a page that takes nothing from elsewhere and lets nothing in", async () => {
    const page = await shop.sendBare("/docs")
    const { headers } = page
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'"
    )
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect([headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual([
      "nosniff",
      "no-referrer"
    ])
    expect(await page.text()).not.toMatch(/https?:|<script>/)
  })

  it("is found with a slash at its end too, also where a host has mounted it", async () => {
    const answer = await shop.sendBare("/docs/")
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "../docs"])
    expect(new URL("../docs", "http://host.test/shop/docs/").pathname).toBe("/shop/docs")
  })

  it("has its files beside it, with tags", async () => {
    for (const [path, type, least] of [
      ["/docs/swagger-ui.js", "text/javascript; charset=utf-8", 1_000_000],
      ["/docs/swagger-ui.css", "text/css; charset=utf-8", 100_000],
      ["/docs/page.js", "text/javascript; charset=utf-8", 100]
    ] as const) {
      const file = await shop.sendBare(path)
      expect([file.status, file.headers.get("content-type")]).toEqual([200, type])
      expect((await file.text()).length).toBeGreaterThan(least)
      const tag = file.headers.get("etag") ?? ""
      expect((await shop.sendBare(path, { headers: { "if-none-match": tag } })).status).toBe(304)
    }
    expect((await shop.send("/docs/other.js")).status).toBe(404)
  })
})

describe("/docs of the entry for workers", () => {
  it("is a page with a link to the description, and nothing that it would have to load", async () => {
    const store = await PetStore.open({ storage: MemoryStorage.layer })
    onTestFinished(() => store.close())
    const handler = toWorkerHandler(store, { basePath: "/v1" })
    const ask = (path: string) => handler(new Request(`http://shop.test${path}`))
    const page = await ask("/v1/docs")
    const { headers } = page
    expect([page.status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'"
    )
    const html = await page.text()
    expect(html).not.toMatch(/https?:|<script|stylesheet/)
    const [, link = ""] = /<a href="([^"]+)"/.exec(html) ?? []
    const description = await ask(new URL(link, "http://shop.test/v1/docs").pathname)
    expect(await description.json()).toMatchObject({ openapi: "3.0.3" })
    expect((await ask("/v1/docs/")).headers.get("location")).toBe("../docs")
    expect((await ask("/v1/docs/swagger-ui.js")).status).toBe(401)
  })
})
