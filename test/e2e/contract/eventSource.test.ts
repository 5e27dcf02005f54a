/** The browser's own EventSource on a served store, whose host knows its callers by a cookie. */
import { type OpenPetStore, PetStore } from "@petstore/core"
import { type ServeOptions, serve, type Serving } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { hasChromium, launchChromium } from "./Chromium.js"

/** What the page keeps of its streams. */
declare global {
  var told: Array<string>
  var source: { readonly readyState: number; close(): void }
}

describe.skipIf(!hasChromium)("EventSource in Chromium (skipped where there is none)", () => {
  let store: OpenPetStore
  let serving: Serving
  let port: number
  let browser: Browser
  let page: Page
  let categoryId: number
  let accountId: number

  const start = async (options: ServeOptions = {}) => {
    serving = await serve(store, {
      port: port ?? 0,
      basePath: "/shop",
      experimental: true,
      events: { retryMs: 100 },
      identify: ({ headers }) => (headers.cookie === "session=ann" ? accountId : undefined),
      ...options
    })
    port = Number(new URL(serving.url).port)
  }

  const add = (name: string) => store.pets.create({ name, categoryId })

  /**
   * Opens a stream in the page, which records the type, the id and the data of each event, and when
   * it opens.
   */
  const follow = (query = "") =>
    page.evaluate((path) => {
      globalThis.told = []
      const source = new globalThis.EventSource(path)
      source.addEventListener("open", () => void told.push("open"))
      for (const type of ["pet.created", "pet.updated", "resync"]) {
        source.addEventListener(type, (event) => {
          if (!("data" in event && "lastEventId" in event)) return
          const { sequence, record } = JSON.parse(String(event.data))
          const [, place] = String(event.lastEventId).split("-")
          told.push(`${type} ${place} ${sequence} ${record?.name ?? ""}`.trim())
        })
      }
      globalThis.source = source
    }, `/shop/events${query}`)

  const heard = () => expect.poll(() => page.evaluate(() => told))

  /** However often the stream was opened. */
  const heardOfChanges = () =>
    expect.poll(() => page.evaluate(() => told.filter((each) => each !== "open")))

  beforeAll(async () => {
    store = await PetStore.open({ storage: MemoryStorage.layer })
    ;({ id: accountId } = await store.accounts.create({
      name: "Ann",
      plan: "enterprise",
      perMinute: 1_000,
      perDay: 10_000
    }))
    ;({ id: categoryId } = await store.categories.create({ name: "Dogs" }))
    await start()
    browser = await launchChromium()
  })

  beforeEach(async () => {
    const context = await browser.newContext()
    await context.addCookies([{ name: "session", value: "ann", url: serving.url }])
    page = await context.newPage()
    // A page of the same origin; what is on it makes no difference.
    await page.goto(`${serving.url}/health/live`)
  })

  afterAll(async () => {
    await browser?.close()
    await serving?.close()
    await store?.close()
  })

  it("gets changes as they happen, with their ids, of the requested types", async () => {
    const last = await store.changes.last()
    await follow("?type=pet.created")
    await heard().toEqual(["open"])
    const { id } = await add("Rex")
    await store.pets.update(id, { name: "Max" })
    await add("Tom")
    await heard().toEqual([
      "open",
      `pet.created ${last + 1} ${last + 1} Rex`,
      `pet.created ${last + 3} ${last + 3} Tom`
    ])
  })

  it("comes back by itself after the server has closed, and misses and repeats nothing", async () => {
    const last = await store.changes.last()
    await follow()
    await heard().toEqual(["open"])
    await add("before")
    await heard().toHaveLength(2)
    await serving.close()
    await add("meanwhile")
    await start()
    await add("after")
    await heardOfChanges().toEqual([
      `pet.created ${last + 1} ${last + 1} before`,
      `pet.created ${last + 2} ${last + 2} meanwhile`,
      `pet.created ${last + 3} ${last + 3} after`
    ])
  })

  it("misses nothing even if it was cut off before its first change", async () => {
    const last = await store.changes.last()
    await follow()
    await heard().toEqual(["open"])
    await serving.close()
    await add("meanwhile")
    await start()
    await heardOfChanges().toEqual([`pet.created ${last + 1} ${last + 1} meanwhile`])
  })

  it("is refused without the cookie, and gives up", async () => {
    await page.context().clearCookies()
    await follow()
    await expect.poll(() => page.evaluate(() => source.readyState)).toBe(2)
    expect(await page.evaluate(() => told)).toEqual([])
  })
})
