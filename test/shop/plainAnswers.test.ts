import { expect, it, describe } from "vitest"
import { STORAGES } from "./storages.js"

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`

/**
 * Objects with a class of their own: hosts that compare strictly, copy or print objects would
 * notice the difference.
 */
const classesIn = (value: unknown, place: string): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain =
    prototype === Object.prototype || prototype === Array.prototype || prototype === null
  return [
    ...(isPlain ? [] : [place]),
    ...Object.entries(value).flatMap(([member, each]) => classesIn(each, `${place}.${member}`))
  ]
}

describe.each(STORAGES)("what a store answers, $name", ({ openShop }) => {
  it("is plain objects and arrays all through, whatever rows are to the storage", async () => {
    const { store } = await openShop({ webhooks: { secret: SECRET } })
    const { categories, pets, inventory, orders, accounts, keys, limits, changes, webhooks } = store
    const account = await accounts.create({ name: "Ada", plan: "free" })
    const webhook = await webhooks.create({ url: "https://shop.test/hook" })
    const answers = {
      made: [
        await categories.create({ name: "Dogs", description: "They bark" }),
        await pets.create({ name: "Rex", categoryId: 2 }),
        await inventory.set(1, { quantity: 3 }),
        await orders.place({ petId: 1, quantity: 1, shipDate: "2026-01-01T00:00:00Z" }),
        account,
        await keys.create(account.id, { name: "till" }),
        webhook
      ],
      changed: [
        await categories.update(2, { description: null }),
        await pets.replace(2, { name: "Max", categoryId: 1 }),
        await orders.update(1, { complete: true }),
        await accounts.setPlan(account.id, { plan: "pro" }),
        await webhooks.update(webhook.id, { types: ["pet.created"] })
      ],
      got: [
        await categories.get(1),
        await pets.get(1),
        await inventory.get(1),
        await orders.get(1),
        await accounts.get(account.id),
        await limits.get(account.id),
        await webhooks.get(webhook.id)
      ],
      listed: [
        await categories.list(),
        await pets.list({ sort: "name" }),
        await inventory.list(),
        await orders.list(),
        await accounts.list(),
        await keys.list(),
        await webhooks.list()
      ],
      told: [await changes.page({ after: 0 }), await changes.history("order", 1)]
    }
    expect(answers.told[1]).toHaveLength(2)
    expect(classesIn(answers, "answers")).toEqual([])
  })
})
