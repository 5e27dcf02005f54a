/** Endpoints of webhooks, as hosts make and keep them. */
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { describe, expect, test } from "vitest"
import { handClock } from "./handClock.js"
import { refusal, STORAGES } from "./storages.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const HOUR_MS = 3_600_000
const SECRET = "what the host keeps to itself"
const URL = "https://shop.example/hooks"

describe.each(STORAGES)("webhooks, $name", ({ openShop }) => {
  const open = async () => {
    const time = handClock(NOON_MS)
    const { store, category } = await openShop({ clock: time.clock, webhooks: { secret: SECRET } })
    return { store, webhooks: store.direct.webhooks, category, time }
  }

  test("an endpoint begins where the feed is, and its secret is shown once and never again", async () => {
    const { store, webhooks } = await open()
    const { secret, ...shown } = webhooks.create({
      url: URL,
      types: ["order.placed", "pet.created"]
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toEqual({
      id: 1,
      url: URL,
      types: ["order.placed", "pet.created"],
      state: "enabled",
      stateSince: "2026-01-31T12:00:00Z",
      createdAt: "2026-01-31T12:00:00Z",
      deliveredTo: 2,
      failures: 0,
      replaysWaiting: 0
    })
    expect(webhooks.get(1)).toEqual(shown)
    expect(webhooks.list().items).toEqual([shown])
    expect(await store.webhooks.get(1)).toEqual(shown)
  })

  test("every endpoint and every rotation has a secret of its own", async () => {
    const { webhooks } = await open()
    const [first, second] = [webhooks.create({ url: URL }), webhooks.create({ url: URL })]
    const secrets = [
      first.secret,
      second.secret,
      webhooks.rotate(1).secret,
      webhooks.rotate(1).secret
    ]
    expect(new Set(secrets).size).toBe(4)
  })

  test("the secret before a rotation signs for a day, or for the requested time", async () => {
    const { store, webhooks, time } = await open()
    const { secret: old } = webhooks.create({ url: URL })
    const { secret, previousSecretUntil } = webhooks.rotate(1)
    expect(previousSecretUntil).toBe("2026-02-01T12:00:00Z")
    const signing = async () => {
      const enabled = await store.engine.webhooks.enabled()
      const [row] = enabled._tag === "Right" ? enabled.right : []
      return row === undefined ? undefined : store.engine.webhooks.secretsOf(row, time.nowMs())
    }
    time.pass(24 * HOUR_MS - 1)
    expect(await signing()).toEqual([secret, old])
    time.pass(1)
    expect(await signing()).toEqual([secret])
    const third = webhooks.rotate(1, { overlapMs: 0 })
    expect(third).not.toHaveProperty("previousSecretUntil")
    expect(await signing()).toEqual([third.secret])
  })

  test("is switched off and on, which begins anew with the message at hand", async () => {
    const { webhooks, time } = await open()
    webhooks.create({ url: URL })
    time.pass(HOUR_MS)
    expect(webhooks.disable(1)).toMatchObject({
      state: "disabled",
      stateSince: "2026-01-31T13:00:00Z"
    })
    time.pass(HOUR_MS)
    expect(webhooks.disable(1)).toMatchObject({ stateSince: "2026-01-31T13:00:00Z" })
    expect(webhooks.enable(1)).toMatchObject({
      state: "enabled",
      stateSince: "2026-01-31T14:00:00Z"
    })
  })

  test("gets another URL and other types; null is all types", async () => {
    const { webhooks } = await open()
    webhooks.create({ url: URL, types: ["pet.created"] })
    const url = "https://shop.example/new"
    expect(webhooks.update(1, { url })).toMatchObject({ url, types: ["pet.created"] })
    expect(webhooks.update(1, { types: ["order.placed"] })).toMatchObject({
      url,
      types: ["order.placed"]
    })
    expect(webhooks.update(1, { types: null })).not.toHaveProperty("types")
  })

  test("is forgotten once it is removed, and its id is not given again", async () => {
    const { webhooks } = await open()
    webhooks.create({ url: URL })
    webhooks.remove(1)
    expect(refusal(() => webhooks.get(1))).toBe("not_found")
    expect(webhooks.create({ url: URL }).id).toBe(2)
  })

  test("is moved back to any place that the feed has had, and to none ahead of it", async () => {
    const { webhooks } = await open()
    webhooks.create({ url: URL })
    expect(webhooks.replay(1, { from: 1 })).toMatchObject({ deliveredTo: 0 })
    expect(webhooks.replay(1, { only: 2 })).toMatchObject({ deliveredTo: 0, replaysWaiting: 1 })
    expect(webhooks.replay(1, { only: 2 })).toMatchObject({ replaysWaiting: 1 })
    expect(refusal(() => webhooks.replay(1, { from: 3 }))).toBe("nothing_to_replay")
    expect(refusal(() => webhooks.replay(1, { only: 3 }))).toBe("nothing_to_replay")
  })

  test("what is no endpoint, and what is no change of one, is refused", async () => {
    const { webhooks } = await open()
    const loose = (input: unknown) => refusal(() => webhooks.create(input as { url: string }))
    for (const url of [
      "http://shop.example/",
      "https://127.0.0.1/",
      "https://u:p@shop.example/",
      "x"
    ])
      expect(loose({ url })).toBe("validation_failed")
    for (const types of [[], ["pet.created", "pet.created"], ["pet.sold"], "pet.created", null])
      expect(loose({ url: URL, types })).toBe("validation_failed")
    expect(loose({ url: URL, secret: "mine" })).toBe("validation_failed")
    expect(webhooks.list().items).toEqual([])
    webhooks.create({ url: URL })
    expect(refusal(() => webhooks.update(1, { url: "http://shop.example/" }))).toBe(
      "validation_failed"
    )
    expect(refusal(() => webhooks.rotate(1, { overlapMs: -1 }))).toBe("validation_failed")
    expect(refusal(() => webhooks.replay(1, { from: 0 }))).toBe("validation_failed")
    expect(refusal(() => webhooks.replay(1, { from: 1, only: 1 }))).toBe("validation_failed")
    for (const call of ["get", "remove", "enable", "disable", "rotate"] as const)
      expect(refusal(() => webhooks[call](9))).toBe("not_found")
  })

  test("a URL that is refused is not repeated: its path may be a secret", async () => {
    const { store } = await open()
    const asked = store.webhooks.create({ url: "http://shop.example/hooks/t0ps3cret" })
    await expect(asked).rejects.toThrow(/^url: expected a URL that begins with https/)
    await expect(asked).rejects.not.toThrow(/t0ps3cret/)
  })

  test("plain http and private addresses are taken where the host allows them", async () => {
    const { store } = await openShop({
      webhooks: { secret: SECRET, allowHttp: true, allowPrivateAddresses: true }
    })
    expect(store.direct.webhooks.create({ url: "http://127.0.0.1:8080/" }).id).toBe(1)
  })

  test("none is made by a host that gave no secret, which may keep those that are there", async () => {
    const { store } = await openShop()
    expect(refusal(() => store.direct.webhooks.create({ url: URL }))).toBe("no_webhook_secret")
    expect(store.direct.webhooks.list().items).toEqual([])
  })
})

test("white space around the host's secret is not part of it", async () => {
  const signingSecret = async (secret: string | (() => string)) => {
    await using store = await PetStore.open({
      storage: MemoryStorage.layer,
      randomBytes: (count) => new Uint8Array(count).fill(7),
      webhooks: { secret }
    })
    return store.direct.webhooks.create({ url: URL }).secret
  }
  const plain = await signingSecret(SECRET)
  expect(await signingSecret(`${SECRET}\n`)).toBe(plain)
  expect(await signingSecret(() => ` ${SECRET}\r\n`)).toBe(plain)
  expect(await signingSecret(`${SECRET}.`)).not.toBe(plain)
  await expect(signingSecret(" ".repeat(40))).rejects.toThrow(/too short/)
})

test("a secret too short to be one is refused without being repeated", async () => {
  const opened = PetStore.open({ storage: MemoryStorage.layer, webhooks: { secret: "hunter2" } })
  await expect(opened).rejects.toThrow(/too short/)
  await expect(opened).rejects.not.toThrow(/hunter2/)
})
