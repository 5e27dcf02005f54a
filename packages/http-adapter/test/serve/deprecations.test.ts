import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { openShop } from "../ShopServer.js"

/** A clock that is moved by hand. */
const handClock = (startMs: number) => {
  const hand = { nowMs: startMs }
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => hand.nowMs,
    currentTimeMillis: Effect.sync(() => hand.nowMs),
    unsafeCurrentTimeNanos: () => BigInt(hand.nowMs) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(hand.nowMs) * 1_000_000n),
    sleep: () => Effect.never
  }
  return { hand, clock }
}

const NOON_MS = Date.UTC(2027, 0, 15, 12)

describe("calls of deprecated operations", () => {
  it("are counted by account, operation and UTC day, whatever they are answered", async () => {
    const { hand, clock } = handClock(NOON_MS)
    const shop = await openShop({ open: { clock } })
    const counts = async () => (await shop.store.deprecatedCalls.list()).items
    await shop.send("/pets/1")
    expect(await counts()).toEqual([
      { accountId: 1, operation: "getPet", day: "2027-01-15", calls: 1 }
    ])
    await shop.send("/pets/99")
    await shop.send("/pets/1", { method: "HEAD" })
    expect(await counts(), "within ten seconds nothing is written").toMatchObject([{ calls: 1 }])
    hand.nowMs += 10_000
    await shop.send("/pets/x")
    expect(await counts()).toMatchObject([{ calls: 4 }])
    hand.nowMs += 86_400_000
    await shop.send("/pets/1")
    expect(await counts()).toMatchObject([
      { day: "2027-01-15", calls: 4 },
      { day: "2027-01-16", calls: 1 }
    ])
  })

  it("of one account are separate from those of another", async () => {
    const { hand, clock } = handClock(NOON_MS)
    const shop = await openShop({ open: { clock } })
    const { id } = await shop.store.accounts.create({ name: "other", plan: "pro" })
    const { key } = await shop.store.keys.create(id, { name: "other" })
    for (let call = 0; call < 3; call++)
      await shop.send("/pets/1", { headers: { "x-api-key": key } })
    hand.nowMs += 10_000
    await shop.send("/pets/1")
    const { items } = await shop.store.deprecatedCalls.list({ accountId: id })
    expect(items).toEqual([{ accountId: id, operation: "getPet", day: "2027-01-15", calls: 3 }])
  })

  it("are stored at the latest when the store is closed or the day is over", async () => {
    const { hand, clock } = handClock(NOON_MS)
    const shop = await openShop({ open: { clock } })
    for (let call = 0; call < 5; call++) await shop.send("/pets/1")
    await Effect.runPromise(shop.store.engine.deprecations.flush)
    expect((await shop.store.deprecatedCalls.list()).items).toMatchObject([{ calls: 5 }])
    await shop.send("/pets/1")
    hand.nowMs += 86_400_000
    await shop.send("/pets/1")
    expect((await shop.store.deprecatedCalls.list()).items, "of the day before").toMatchObject([
      { calls: 6 }
    ])
    await Effect.runPromise(shop.store.engine.deprecations.flush)
    expect((await shop.store.deprecatedCalls.list()).items).toMatchObject([
      { calls: 6 },
      { calls: 1 }
    ])
  })

  it("without a key, or of operations that stay, are not counted", async () => {
    const shop = await openShop()
    await shop.sendBare("/pets/1")
    await shop.send("/pets?id=1")
    await shop.send("/pets/1", { method: "DELETE" })
    expect((await shop.store.deprecatedCalls.list()).items).toEqual([])
  })
})
