import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, it } from "vitest"
import { toWebHandler } from "../../src/index.js"

it("a store that was closed is not served any more, and says so", async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const { id } = await store.accounts.create({ plan: "pro" })
  const { key } = await store.keys.create(id)
  const handle = toWebHandler(store)
  const ask = () => handle(new Request("http://shop.test/pets", { headers: { "x-api-key": key } }))
  expect((await ask()).status).toBe(200)
  const ready = async () => (await handle(new Request("http://shop.test/health/ready"))).status
  expect(await ready()).toBe(200)
  await store.close()
  expect(await ready()).toBe(503)
  const answer = await ask()
  expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([503, "shutting_down"])
  expect(answer.headers.get("x-ratelimit-limit")).not.toBeNull()
})
