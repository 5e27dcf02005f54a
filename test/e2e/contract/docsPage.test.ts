/**
 * The page at /docs in a real browser: offline, with a key, and with what is deprecated or not
 * stable to be seen.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasChromium, launchChromium } from "./Chromium.js"
import { type ServedShop, servedShop } from "./ServedShop.js"

describe.skipIf(!hasChromium)("the docs page in Chromium (skipped where there is none)", () => {
  let shop: ServedShop
  let browser: Browser
  let page: Page
  const elsewhere: Array<string> = []
  const complaints: Array<string> = []

  beforeAll(async () => {
    shop = await servedShop({ serve: { basePath: "/v1" } })
    const { id } = await shop.store.categories.create({ name: "Dogs" })
    await shop.store.pets.create({ name: "Rex", categoryId: id })
    browser = await launchChromium()
    page = await browser.newPage()
    await page.route("**/*", (route) => {
      const url = route.request().url()
      if (url.startsWith(`${shop.url}/`)) return route.continue()
      elsewhere.push(url)
      return route.abort()
    })
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text())
    })
    page.on("pageerror", (error) => complaints.push(error.message))
    await page.goto(`${shop.url}/docs`)
    await page.waitForSelector(".opblock")
  }, 30_000)

  afterAll(async () => {
    await browser?.close()
    await shop?.close()
  })

  it("shows every operation, takes nothing from elsewhere, and breaks no rule of its own policy", async () => {
    expect(await page.locator(".opblock").count()).toBe(22)
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  })

  it("shows what is deprecated and what is not stable", async () => {
    expect(
      await page.locator(".opblock-deprecated .opblock-summary-operation-id").allInnerTexts()
    ).toEqual(["getPet"])
    const beta = page
      .locator(".opblock", { hasText: "(beta)" })
      .locator(".opblock-summary-operation-id")
    expect(await beta.allInnerTexts()).toEqual(["updatePet", "updateCategory", "updateOrder"])
    const experimental = page.locator(".opblock", { hasText: "(experimental)" })
    expect(await experimental.locator(".opblock-summary-operation-id").allInnerTexts()).toEqual([
      "streamEvents"
    ])
  })

  it("tries an operation out with a key, under the base path", async () => {
    await page.locator(".btn.authorize").click()
    await page.locator(".auth-container input").first().fill(shop.key)
    await page.locator(".auth-container .btn.authorize").first().click()
    await page.locator(".btn-done").first().click()
    await page.locator("#operations-Pets-listPets .opblock-summary-control").click()
    await page.locator("#operations-Pets-listPets .execute").click()
    const answer = page.locator("#operations-Pets-listPets .live-responses-table")
    await answer.waitFor()
    expect(await answer.locator(".response-col_status").last().innerText()).toMatch(/^200/)
    expect(await answer.innerText()).toContain('"name": "Rex"')
    expect(await answer.innerText()).toContain("x-ratelimit-remaining")
    expect([elsewhere, complaints]).toEqual([[], []])
  }, 20_000)
})
