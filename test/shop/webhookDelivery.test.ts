/** Delivering webhooks from the feed: in order, until it is done, and by one worker at a time. */
import { type OpenPetStore, PetStore, Storage, Usage } from "@petstore/core"
import { deliverWebhooks, type DeliverOptions } from "@petstore/http-adapter/webhooks"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import { Context, Layer } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { FakeReceiver, verified } from "./FakeReceiver.js"
import { STORAGES } from "./storages.js"

const SECRET = "what the host keeps to itself"
const URL = "https://shop.example/hooks"
const DAY_MS = 86_400_000

/** Whatever can happen without time passing has happened. */
const quiet = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const delivering = (store: OpenPetStore, receiver: FakeReceiver, options: DeliverOptions = {}) => {
  const delivery = deliverWebhooks(store, {
    sender: receiver,
    onAttempt: receiver.note,
    random: () => 0.5,
    ...options
  })
  onTestFinished(() => delivery.close())
  return delivery
}

const opened = async () => {
  const store = await openTestStore({ webhooks: { secret: SECRET } })
  onTestFinished(() => store.close())
  await store.categories.create({ name: "Fish" })
  const { secret } = await store.webhooks.create({ url: URL })
  const receiver = new FakeReceiver()
  const add = (name: string) => store.pets.create({ name, categoryId: 1 })
  return { store, secret, receiver, add }
}

test("webhooks of a closed store are not delivered", async () => {
  const { store, receiver, add } = await opened()
  await add("Dory")
  await store.close()
  const delivery = delivering(store, receiver)
  await quiet()
  await delivery.close()
  expect(receiver.received).toEqual([])
})

describe.each(STORAGES)("a webhook, $name", ({ openShop }) => {
  const open = async () => {
    const { store, category } = await openShop({ webhooks: { secret: SECRET } })
    const add = (name: string) => store.pets.create({ name, categoryId: category.id })
    return { store, add, receiver: new FakeReceiver() }
  }

  test("is sent every change since it was made, in order, signed as Standard Webhooks has it", async () => {
    const { store, add, receiver } = await open()
    const { secret } = await store.webhooks.create({ url: URL })
    await add("Dory")
    delivering(store, receiver)
    await receiver.attempted(1)
    await add("Nemo")
    await store.pets.update(3, { status: "sold" })
    await store.pets.remove(3)
    await receiver.attempted(4)
    expect(receiver.received.map(({ payload }) => payload.type)).toEqual([
      "pet.created",
      "pet.created",
      "pet.updated",
      "pet.deleted"
    ])
    expect(receiver.sequences).toEqual([3, 4, 5, 6])
    const [first, , , last] = receiver.received
    const { headers = {}, payload } = first ?? {}
    expect(payload).toEqual({
      type: "pet.created",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        sequence: 3,
        recordId: 2,
        revision: 1,
        record: { id: 2, name: "Dory", categoryId: 1, status: "available" }
      }
    })
    expect(last?.payload.data).toEqual({ sequence: 6, recordId: 3 })
    expect(headers).toMatchObject({ "content-type": "application/json" })
    expect(headers["webhook-id"]).toMatch(/^msg_[A-Za-z0-9]+_3$/)
    for (const message of receiver.received)
      expect(verified(secret, message, Date.now())).toBeTruthy()
    expect(await store.webhooks.get(1)).toMatchObject({ deliveredTo: 6, failures: 0 })
  })

  test("is sent nothing that it did not ask for", async () => {
    const { store, add, receiver } = await open()
    await store.webhooks.create({ url: URL, types: ["order.placed"] })
    delivering(store, receiver)
    await add("Dory")
    await store.orders.place({ petId: 1 })
    await store.orders.cancel(1)
    await store.orders.place({ petId: 1 })
    await receiver.attempted(2)
    expect(receiver.received.map(({ payload }) => payload.type)).toEqual([
      "order.placed",
      "order.placed"
    ])
  })

  test("continues where it was with another worker", async () => {
    const { store, add, receiver } = await open()
    await store.webhooks.create({ url: URL })
    const first = delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    await first.close()
    await add("Nemo")
    await quiet()
    expect(receiver.sequences).toEqual([3])
    delivering(store, receiver)
    await receiver.attempted(2)
    expect(receiver.sequences).toEqual([3, 4])
  })

  test("is sent each message once by two workers on one store, in order", async () => {
    const { store, add, receiver } = await open()
    await store.webhooks.create({ url: URL })
    delivering(store, receiver)
    delivering(store, receiver)
    for (let nth = 0; nth < 20; nth++) await add(`Fish ${nth}`)
    await receiver.attempted(20)
    await quiet()
    expect(receiver.sequences).toEqual(Array.from({ length: 20 }, (_, at) => at + 3))
  })

  test("keeps a log of its latest 500 attempts", async () => {
    const { store, add, receiver } = await open()
    await store.webhooks.create({ url: URL })
    delivering(store, receiver)
    for (let nth = 0; nth < 510; nth++) await add(`Fish ${nth}`)
    await receiver.attempted(510)
    const { items, total } = await store.webhooks.attempts({
      webhookId: 1,
      sort: "-id",
      limit: 1,
      total: true
    })
    expect(total).toBe(500)
    expect(items).toEqual([
      {
        id: 510,
        webhookId: 1,
        messageId: expect.stringMatching(/_512$/),
        type: "pet.created",
        sequence: 512,
        attempt: 1,
        at: expect.any(String),
        durationMs: expect.any(Number),
        outcome: "delivered",
        status: 204
      }
    ])
    await store.webhooks.remove(1)
    expect((await store.webhooks.attempts()).items).toEqual([])
  })
})

describe("a message that is refused", () => {
  test("is tried again at the same times in each run of a store for tests with one seed", async () => {
    const run = async (seed: number) => {
      const store = await openTestStore({ seed })
      onTestFinished(() => store.close())
      const receiver = new FakeReceiver()
      receiver.reactions.push({ status: 500, detail: "" })
      await store.webhooks.create({ url: URL })
      const delivery = deliverWebhooks(store, { sender: receiver, onAttempt: receiver.note })
      onTestFinished(() => delivery.close())
      await store.categories.create({ name: "Fish" })
      await receiver.attempted(1)
      const [message] = receiver.received
      return [message?.headers["webhook-id"], (await store.webhooks.get(1)).nextAttemptAt]
    }
    const first = await run(7)
    expect(await run(7)).toEqual(first)
    expect(await run(8)).not.toEqual(first)
  })

  test("is tried again by the schedule, with the same id and bytes, at its own time, while others wait behind it", async () => {
    const { store, secret, receiver, add } = await opened()
    receiver.reactions.push({ status: 500, detail: "no" }, { status: 404, detail: "" })
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    await add("Nemo")
    await quiet()
    expect(await store.webhooks.get(1)).toMatchObject({
      deliveredTo: 1,
      failures: 1,
      nextAttemptAt: "2026-01-01T00:00:05Z"
    })
    store.advance(4_999)
    await quiet()
    expect(receiver.received).toHaveLength(1)
    store.advance(1)
    await receiver.attempted(2)
    store.advance(300_000)
    await receiver.attempted(4)
    const [first, second, third, fourth] = receiver.received
    expect(receiver.sequences).toEqual([2, 2, 2, 3])
    expect([second?.id, third?.id]).toEqual([first?.id, first?.id])
    expect([second?.body, third?.body]).toEqual([first?.body, first?.body])
    expect(fourth?.id).not.toBe(first?.id)
    const timestamps = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]))
    const startSeconds = Date.UTC(2026, 0, 1) / 1_000
    expect(timestamps).toEqual([0, 5, 305, 305].map((seconds) => startSeconds + seconds))
    for (const [at, message] of receiver.received.entries())
      expect(verified(secret, message, (timestamps[at] ?? 0) * 1_000)).toBeTruthy()
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(
      4
    )
  })

  test("disables the endpoint after ten attempts, and continues from there when it is enabled", async () => {
    const { store, receiver, add } = await opened()
    receiver.reactions.push(
      ...Array.from({ length: 10 }, () => ({ status: 500, detail: "out of order" }))
    )
    delivering(store, receiver)
    await add("Dory")
    await add("Nemo")
    for (let attempt = 1; attempt <= 10; attempt++) {
      await receiver.attempted(attempt)
      await quiet()
      store.advance(DAY_MS)
    }
    await quiet()
    expect(receiver.sequences).toEqual(Array.from({ length: 10 }, () => 2))
    expect(receiver.attempts.at(-1)).toMatchObject({ outcome: "refused", ended: true })
    expect(await store.webhooks.get(1)).toMatchObject({
      state: "failing",
      failures: 10,
      deliveredTo: 1
    })
    await store.webhooks.enable(1)
    store.advance(1_000)
    await receiver.attempted(12)
    expect(receiver.sequences.slice(10)).toEqual([2, 3])
    expect(await store.webhooks.get(1)).toMatchObject({
      state: "enabled",
      failures: 0,
      deliveredTo: 3
    })
  })

  test("with 410 ends the endpoint at once", async () => {
    const { store, receiver, add } = await opened()
    receiver.reactions.push({ status: 410, detail: "" })
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    store.advance(DAY_MS)
    await quiet()
    expect(receiver.received).toHaveLength(1)
    expect(await store.webhooks.get(1)).toMatchObject({ state: "gone", deliveredTo: 1 })
    expect((await store.webhooks.attempts()).items).toMatchObject([
      { outcome: "gone", status: 410 }
    ])
  })

  test.each([429, 503])("with %i waits for as long as the receiver asks", async (status) => {
    const { store, receiver, add } = await opened()
    receiver.reactions.push({ status, retryAfterMs: 60_000, detail: "" })
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    await quiet()
    store.advance(59_999)
    await quiet()
    expect(receiver.received).toHaveLength(1)
    store.advance(1)
    await receiver.attempted(2)
  })

  test("with a redirect is not taken elsewhere", async () => {
    const { store, receiver, add } = await opened()
    receiver.reactions.push({ status: 302, detail: "" })
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    expect((await store.webhooks.attempts()).items).toMatchObject([
      { outcome: "refused", status: 302 }
    ])
  })

  test("is in the log as a short excerpt, on one line, without possible secrets", async () => {
    const { store, secret, receiver, add } = await opened()
    const detail = `your secret is ${secret}\r\n\u001b[31m${"x".repeat(1_000)}`
    receiver.reactions.push({ status: 500, detail })
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    const [attempt] = (await store.webhooks.attempts()).items
    expect(attempt?.detail).toMatch(/^your secret is \[…\] \[31mx+…$/)
    expect(attempt?.detail).toHaveLength(200)
    expect(attempt).toMatchObject({ attempt: 1, nextAttemptAt: "2026-01-01T00:00:05Z" })
  })
})

describe("a receiver that does not answer", () => {
  test("is waited for for 15 seconds, and does not hold up another one", async () => {
    const { store, receiver, add } = await opened()
    const other = await store.webhooks.create({ url: "https://other.example/" })
    receiver.reactions.push("silence")
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    await add("Nemo")
    await receiver.attempted(2)
    expect(receiver.attempts.map(({ webhookId }) => webhookId)).toEqual([other.id, other.id])
    store.advance(14_999)
    await quiet()
    expect(receiver.attempts).toHaveLength(2)
    store.advance(1)
    await receiver.attempted(3)
    expect(receiver.attempts.at(-1)).toMatchObject({
      webhookId: 1,
      outcome: "timeout",
      durationMs: 15_000
    })
  })

  test("is left alone when the worker closes, and sent the message by the next one", async () => {
    const { store, receiver, add } = await opened()
    receiver.reactions.push("silence")
    const delivery = delivering(store, receiver, { closeTimeoutMs: 0 })
    await add("Dory")
    await receiver.reached(1)
    await delivery.close()
    expect(receiver.attempts).toEqual([])
    delivering(store, receiver)
    await receiver.attempted(1)
    expect(receiver.sequences).toEqual([2, 2])
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  })
})

describe("an endpoint", () => {
  test("whose worker died is taken over when its lease is over, and not before", async () => {
    const { store, receiver, add } = await opened()
    await add("Dory")
    const { webhooks, feed, nowMs } = store.engine
    const epoch = await feed.epoch()
    const name = epoch._tag === "Right" ? epoch.right : ""
    await webhooks.claim(1, { holder: "dead", leaseMs: 30_000 }, name, nowMs())
    delivering(store, receiver)
    await quiet()
    store.advance(29_999)
    await quiet()
    expect(receiver.received).toEqual([])
    store.advance(1)
    await receiver.attempted(1)
  })

  test("that another worker claimed just after this one read the clock belongs to the other", async () => {
    const { store } = await opened()
    const { webhooks, nowMs } = store.engine
    const beforeMs = nowMs()
    store.advance(5)
    await webhooks.claim(1, { holder: "first", leaseMs: 60_000 }, "feed", nowMs())
    const second = { holder: "second", leaseMs: 30_000 }
    expect(await webhooks.claim(1, second, "feed", beforeMs)).toMatchObject({ right: undefined })
    expect(await webhooks.claim(1, second, "feed", beforeMs + 60_005)).toMatchObject({
      right: { id: 1 }
    })
  })

  test("that is held until long after is of a clock that was set back, and free", async () => {
    const { store } = await opened()
    const { webhooks, nowMs } = store.engine
    await webhooks.claim(1, { holder: "first", leaseMs: 30_000 }, "feed", nowMs() + DAY_MS)
    const second = { holder: "second", leaseMs: 30_000 }
    expect(await webhooks.claim(1, second, "feed", nowMs())).toMatchObject({ right: { id: 1 } })
  })

  test.each([204, 500])(
    "is where its worker has brought it, whatever one that had lost it says late (%i)",
    async (status) => {
      const { store, receiver, add } = await opened()
      const { webhooks, nowMs, feed } = store.engine
      const epoch = await feed.epoch()
      const late = { holder: "late", leaseMs: 1 }
      const claimed = await webhooks.claim(
        1,
        late,
        epoch._tag === "Right" ? epoch.right : "",
        nowMs()
      )
      if (claimed._tag === "Left" || claimed.right === undefined) throw new Error("not claimed")
      store.advance(1)
      delivering(store, receiver)
      await add("Dory")
      await add("Nemo")
      await receiver.attempted(2)
      await quiet()
      const message = {
        id: receiver.received[0]?.id ?? "",
        type: "pet.created",
        sequence: 2,
        body: ""
      }
      const attempt = {
        seen: claimed.right,
        message,
        turn: "next",
        atMs: nowMs(),
        tookMillis: 1
      } as const
      await webhooks.settle({ ...attempt, result: { status, detail: "" } }, late, nowMs(), 0.5)
      expect(await store.webhooks.get(1)).toMatchObject({ deliveredTo: 3, failures: 0 })
      expect(await store.webhooks.get(1)).not.toHaveProperty("nextAttemptAt")
    }
  )

  test("that is moved back while a message is being sent continues from the new position", async () => {
    const { store, receiver, add } = await opened()
    await add("Dory")
    await add("Nemo")
    receiver.reactions.push({ status: 204, detail: "" }, "silence")
    delivering(store, receiver)
    await receiver.reached(2)
    await store.webhooks.replay(1, { from: 1 })
    store.advance(15_000)
    await receiver.attempted(5)
    expect(receiver.sequences).toEqual([2, 3, 1, 2, 3])
    expect(receiver.received[4]?.id).toBe(receiver.received[1]?.id)
    expect(await store.webhooks.get(1)).toMatchObject({ deliveredTo: 3, failures: 0 })
  })

  test("is sent a single message again, out of turn and tried once, while the next one waits", async () => {
    const { store, receiver, add } = await opened()
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    receiver.reactions.push({ status: 500, detail: "" }, { status: 500, detail: "" })
    await add("Nemo")
    await receiver.attempted(2)
    await store.webhooks.replay(1, { only: 2 })
    store.advance(1_000)
    await receiver.attempted(3)
    expect(receiver.sequences).toEqual([2, 3, 2])
    expect(receiver.received[2]?.id).toBe(receiver.received[0]?.id)
    store.advance(4_000)
    await receiver.attempted(4)
    expect(receiver.sequences).toEqual([2, 3, 2, 3])
    const { items } = await store.webhooks.attempts()
    expect(items.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "delivered"],
      [1, "refused"],
      [0, "refused"],
      [2, "delivered"]
    ])
    expect(await store.webhooks.get(1)).toMatchObject({ replaysWaiting: 0 })
  })

  test("is sent a single message whatever its type, and those from a place on that it asks for", async () => {
    const { store, receiver, add } = await opened()
    await add("Dory")
    await store.webhooks.update(1, { types: ["pet.created"] })
    delivering(store, receiver)
    await receiver.attempted(1)
    await store.webhooks.replay(1, { only: 1 })
    store.advance(1_000)
    await receiver.attempted(2)
    await store.webhooks.replay(1, { from: 1 })
    store.advance(1_000)
    await receiver.attempted(3)
    await quiet()
    expect(receiver.sequences).toEqual([2, 1, 2])
  })

  test("has a single message written down as lost, and a new resync each time it is moved back, where changes are no longer kept", async () => {
    const store = await openTestStore({
      webhooks: { secret: SECRET },
      changeRetention: { count: 10, ageMs: Infinity }
    })
    onTestFinished(() => store.close())
    for (let nth = 0; nth < 200; nth++) await store.categories.create({ name: `Kind ${nth}` })
    await store.webhooks.create({ url: URL })
    const receiver = new FakeReceiver()
    delivering(store, receiver)
    await store.webhooks.replay(1, { only: 1 })
    store.advance(1_000)
    await quiet()
    const { items } = await store.webhooks.attempts()
    expect(items).toMatchObject([
      { sequence: 1, outcome: "lost", detail: "the change is no longer kept" }
    ])
    for (const count of [1, 2]) {
      await store.webhooks.replay(1, { from: 1 })
      store.advance(1_000)
      await receiver.attempted(count)
    }
    expect(receiver.received.map(({ payload }) => payload.type)).toEqual(["resync", "resync"])
    expect(receiver.sequences).toEqual([200, 200])
    expect(receiver.received[0]?.id).not.toBe(receiver.received[1]?.id)
  })

  test("is signed with both secrets while a rotation overlaps", async () => {
    const { store, secret, receiver, add } = await opened()
    const { secret: next } = await store.webhooks.rotate(1, { overlapMs: 60_000 })
    delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    store.advance(60_000)
    await add("Nemo")
    await receiver.attempted(2)
    const [both, one] = receiver.received
    if (both === undefined || one === undefined) throw new Error("nothing was sent")
    for (const each of [secret, next])
      expect(verified(each, both, store.nowMs() - 60_000)).toBeTruthy()
    expect(verified(next, one, store.nowMs())).toBeTruthy()
    expect(() => verified(secret, one, store.nowMs())).toThrow(/signature/)
  })

  test("that is disabled is sent nothing, and what it missed when it is enabled", async () => {
    const { store, receiver, add } = await opened()
    delivering(store, receiver)
    await store.webhooks.disable(1)
    await add("Dory")
    store.advance(DAY_MS)
    await quiet()
    expect(receiver.received).toEqual([])
    await store.webhooks.enable(1)
    store.advance(1_000)
    await receiver.attempted(1)
    expect(receiver.sequences).toEqual([2])
  })

  test("that asks for little does not fall out of the feed while others have much to hear", async () => {
    const { store, receiver, add } = await opened()
    await store.webhooks.update(1, { types: ["order.placed"] })
    delivering(store, receiver)
    for (let nth = 0; nth < 1_200; nth++) await add(`Fish ${nth}`)
    await quiet()
    expect((await store.webhooks.get(1)).deliveredTo).toBeGreaterThan(600)
    expect(receiver.received).toEqual([])
  })

  test("whose secret derives from another host secret gets nothing, and the operator is told", async () => {
    const { store, receiver, add } = await opened()
    const stranger = await openTestStore({
      webhooks: { secret: "another secret, of another host" }
    })
    onTestFinished(() => stranger.close())
    await add("Dory")
    await stranger.restore(await store.snapshot())
    const causes: Array<unknown> = []
    delivering(stranger, receiver, { onError: (cause) => causes.push(cause) })
    await quiet()
    stranger.advance(10_000)
    await quiet()
    expect(causes).toMatchObject([{ name: "OtherWebhookSecret", webhookId: 1 }])
    expect(String(causes[0])).not.toContain("another secret, of")
    const { secret } = await stranger.webhooks.rotate(1)
    stranger.advance(1_000)
    await receiver.attempted(1)
    const [message] = receiver.received
    if (message === undefined) throw new Error("nothing was sent")
    expect(verified(secret, message, stranger.nowMs())).toBeTruthy()
  })
})

describe("a worker", () => {
  test("sends a message again when the store would not take how it went", async () => {
    const { store, receiver, add } = await opened()
    await add("Dory")
    const causes: Array<unknown> = []
    // The first write takes the endpoint, the second is to say that the message is delivered.
    store.failWrite(2, "Busy")
    delivering(store, receiver, { onError: (cause) => causes.push(cause) })
    await receiver.reached(1)
    await quiet()
    expect(causes).toMatchObject([{ _tag: "StorageError", reason: "Busy" }])
    expect(receiver.attempts).toEqual([])
    store.advance(1_000)
    await receiver.attempted(1)
    expect(receiver.sequences).toEqual([2, 2])
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  })

  test("ends with its store, whether or not it was closed before", async () => {
    const { store, receiver, add } = await opened()
    const delivery = delivering(store, receiver)
    await add("Dory")
    await receiver.attempted(1)
    await store.close()
    store.advance(60_000)
    await quiet()
    await delivery.close()
    expect(receiver.sequences).toEqual([2])
  })

  test("works on a store that was put back to an earlier state", async () => {
    const { store, receiver, add } = await opened()
    await store.webhooks.update(1, { types: ["pet.created"] })
    delivering(store, receiver)
    const before = await store.snapshot()
    for (let nth = 0; nth < 20; nth++) await store.categories.create({ name: `Kind ${nth}` })
    await quiet()
    await store.restore(before)
    await add("Dory")
    store.advance(1_000)
    await receiver.attempted(1)
    expect(receiver.received.map(({ payload }) => payload.type)).toContain("pet.created")
  })

  test("passes over nothing that comes right after the store was put back to an earlier state", async () => {
    const { store, receiver, add } = await opened()
    await store.webhooks.update(1, { types: ["pet.created"] })
    delivering(store, receiver)
    const before = await store.snapshot()
    for (let nth = 0; nth < 20; nth++) await store.categories.create({ name: `Kind ${nth}` })
    await quiet()
    await store.restore(before)
    await Promise.all(["Dory", "Nemo", "Bruce"].map(add))
    for (let nth = 0; nth < 20; nth++) await store.categories.create({ name: `Kind ${nth}` })
    await receiver.attempted(3)
    expect(receiver.sequences).toEqual([2, 3, 4])
  })

  test("sends to so many endpoints at once and no more, and to the others when it is their turn", async () => {
    const { store, receiver, add } = await opened()
    for (let nth = 2; nth <= 7; nth++)
      await store.webhooks.create({ url: `https://${nth}.example/` })
    receiver.reactions.push("silence", "silence", "silence")
    delivering(store, receiver, { concurrency: 3 })
    await add("Dory")
    await receiver.reached(3)
    await quiet()
    expect(receiver.received).toHaveLength(3)
    store.advance(15_000)
    await receiver.attempted(7)
    expect(
      receiver.attempts.map(({ webhookId }) => webhookId).toSorted((one, other) => one - other)
    ).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test("has many messages under way without a warning of the platform", async () => {
    const { store, receiver, add } = await opened()
    for (let nth = 2; nth <= 12; nth++)
      await store.webhooks.create({ url: `https://${nth}.example/` })
    receiver.reactions.push(...Array.from({ length: 12 }, () => "silence" as const))
    const warnings: Array<Error> = []
    const hear = (warning: Error) => void warnings.push(warning)
    process.on("warning", hear)
    onTestFinished(() => void process.off("warning", hear))
    delivering(store, receiver, { closeTimeoutMs: 0 })
    await add("Dory")
    await receiver.reached(12)
    await quiet()
    expect(warnings).toEqual([])
  })

  test("delivers to an endpoint whose message comes while another is served, and leaves out one without any", async () => {
    const { store, receiver, add } = await opened()
    await store.webhooks.create({ url: "https://few.example/", types: ["pet.deleted"] })
    delivering(store, receiver, { concurrency: 1 })
    for (let nth = 0; nth < 10; nth++) {
      await add("Dory")
      await store.pets.remove(nth + 1)
      if (nth % 3 === 0) await quiet()
    }
    await receiver.attempted(30)
    const few = receiver.attempts
      .filter(({ webhookId }) => webhookId === 2)
      .map(({ sequence }) => sequence)
    expect(few).toEqual([3, 5, 7, 9, 11, 13, 15, 17, 19, 21])
    expect(receiver.attempts).toHaveLength(30)
  })

  test("leaves an endpoint that has much to be sent for one that waits, and comes back to it", async () => {
    const { store, receiver, add } = await opened()
    for (const name of ["Dory", "Nemo", "Bruce"]) await add(name)
    await store.webhooks.create({ url: "https://other.example/" })
    receiver.reactions.push("silence")
    delivering(store, receiver, { concurrency: 1, timeoutMs: 1_000 })
    await receiver.reached(1)
    await add("Marlin")
    await quiet()
    store.advance(1_000)
    await receiver.attempted(2)
    expect(receiver.attempts.map(({ webhookId }) => webhookId)).toEqual([1, 2])
    store.advance(5_000)
    await receiver.attempted(6)
    expect(receiver.attempts.map(({ webhookId }) => webhookId)).toEqual([1, 2, 1, 1, 1, 1])
  })

  test("takes turns, so that one that never has enough does not keep the place for itself", async () => {
    const { store, receiver, add } = await opened()
    for (const name of ["Dory", "Nemo", "Bruce"]) await add(name)
    await store.webhooks.replay(1, { from: 1 })
    await store.webhooks.create({ url: "https://other.example/" })
    await add("Marlin")
    const onAttempt: DeliverOptions["onAttempt"] = (attempt) => {
      if (attempt.webhookId === 1) store.advance(600)
      receiver.note(attempt)
    }
    delivering(store, receiver, { concurrency: 1, onAttempt })
    await receiver.attempted(6)
    expect(receiver.attempts.map(({ webhookId }) => webhookId)).toEqual([1, 1, 2, 1, 1, 1])
  })

  test("continues when the callback of attempts throws", async () => {
    const { store, receiver, add } = await opened()
    const fail = (cause: unknown) => {
      throw cause
    }
    const onAttempt: DeliverOptions["onAttempt"] = (attempt) => {
      receiver.note(attempt)
      fail(new Error("the log is full"))
    }
    delivering(store, receiver, { onAttempt, onError: fail })
    for (const name of ["Dory", "Nemo"]) await add(name)
    await receiver.attempted(2)
    expect(receiver.sequences).toEqual([2, 3])
  })

  test("refuses to send to less than one endpoint at once", async () => {
    const { store } = await opened()
    for (const concurrency of [0, 1.5, Number.NaN])
      expect(() => deliverWebhooks(store, { concurrency })).toThrow(RangeError)
  })

  test("works where the storage does not answer at once", async () => {
    const backing = Layer.map(MemoryStorage.layer, (ports) =>
      Context.merge(
        Context.make(Storage, Context.get(ports, Storage)),
        Context.make(Usage, Context.get(ports, Usage))
      )
    )
    const store = await PetStore.open({ storage: backing, webhooks: { secret: SECRET } })
    onTestFinished(() => store.close())
    const receiver = new FakeReceiver()
    await store.webhooks.create({ url: URL })
    delivering(store, receiver)
    await store.categories.create({ name: "Fish" })
    await store.categories.create({ name: "Birds" })
    await receiver.attempted(2)
    expect(receiver.sequences).toEqual([1, 2])
  })
})

describe("a place in another feed", () => {
  test("such as that of a restored backup, leads to one resync", async () => {
    const { store, receiver, add } = await opened()
    await add("Dory")
    const { webhooks, nowMs } = store.engine
    const dead = { holder: "dead", leaseMs: 1 }
    await webhooks.claim(1, dead, "anotherfeed", nowMs())
    store.advance(1)
    delivering(store, receiver)
    await receiver.attempted(1)
    await add("Nemo")
    await receiver.attempted(2)
    expect(receiver.received.map(({ payload }) => [payload.type, payload.data.sequence])).toEqual([
      ["resync", 2],
      ["pet.created", 3]
    ])
  })
})

describe("a reader that is too far behind", () => {
  test("gets one resync, and continues after it", async () => {
    const store = await openTestStore({
      webhooks: { secret: SECRET },
      changeRetention: { count: 10, ageMs: 1 }
    })
    onTestFinished(() => store.close())
    await store.categories.create({ name: "Fish" })
    await store.webhooks.create({ url: URL })
    await store.webhooks.disable(1)
    for (let nth = 0; nth < 600; nth++) {
      await store.pets.create({ name: `Fish ${nth}`, categoryId: 1 })
      store.advance(10)
    }
    const receiver = new FakeReceiver()
    receiver.reactions.push({ status: 500, detail: "" })
    delivering(store, receiver)
    await store.webhooks.enable(1)
    store.advance(1_000)
    await receiver.attempted(1)
    store.advance(5_000)
    await receiver.attempted(2)
    const [resync, again] = receiver.received
    expect(resync?.payload.type).toBe("resync")
    expect([again?.id, again?.body]).toEqual([resync?.id, resync?.body])
    await store.pets.create({ name: "Last", categoryId: 1 })
    await receiver.attempted(3)
    await quiet()
    const after = resync?.payload.data.sequence ?? 0
    expect(receiver.sequences.filter((sequence) => sequence <= after)).toHaveLength(2)
    expect(receiver.received.filter(({ payload }) => payload.type === "resync")).toHaveLength(2)
    expect(receiver.sequences.at(-1)).toBe(602)
  })
})
