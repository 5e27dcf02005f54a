import { serve } from "@petstore/http-adapter"
import { verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { aFile, openStore, run } from "./sqlitePrograms.js"

test.each([
  ["before it has committed", "before", null],
  ["between the commit and the answer", "after", "true"]
])(
  "a server that is killed %s leaves one order once the caller has tried again",
  async (_, when, replayed) => {
    const filename = aFile()
    const first = await openStore({ filename })
    const { id: categoryId } = first.direct.categories.create({ name: "Fish" })
    first.direct.pets.create({ name: "Goldie", categoryId })
    first.direct.inventory.set(1, { quantity: 10 })
    const { key } = await first.keys.create((await first.accounts.create({ plan: "pro" })).id)
    await first.close()

    const place = (url: string) =>
      fetch(`${url}/store/orders`, {
        method: "POST",
        headers: {
          "x-api-key": key,
          "content-type": "application/json",
          "idempotency-key": "order-1"
        },
        body: '{"petId":1,"quantity":2}'
      })
    const dying = run("serveAndDie", filename, when)
    const url = (await dying.says("listens")).split(" ")[1] ?? ""
    await expect(place(url)).rejects.toThrow()
    await dying.ended

    const store = await openStore({ filename })
    const serving = await serve(store, { port: 0 })
    onTestFinished(() => serving.close())
    const order = { id: 1, petId: 1, quantity: 2, complete: false }
    for (const expected of [replayed, "true"]) {
      const response = await place(serving.url)
      expect([
        response.status,
        response.headers.get("idempotent-replayed"),
        await response.json()
      ]).toEqual([201, expected, order])
    }
    expect(store.direct.orders.list().items).toEqual([order])
    expect(store.direct.inventory.get(1).quantity).toBe(8)
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  },
  20_000
)
