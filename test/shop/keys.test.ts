import { join } from "node:path"
import { type IssuedKey, type OpenPetStore, PetStore } from "@petstore/core"
import type { Admission } from "@petstore/core/adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { describe, expect, onTestFinished, test } from "vitest"
import { handClock } from "./handClock.js"
import { refusal, STORAGES, temporaryFolder } from "./storages.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/**
 * Presents a key to the store's authenticator: "free", say, when it was let in on limits of 60 a
 * minute, or why not.
 */
const present = async ({ engine }: OpenPetStore, key: string): Promise<string> => {
  const presented = { apiKey: [key], authorization: [], address: "192.0.2.1" }
  const admission: Admission = await engine.authenticator.admit(presented, engine.nowMs())
  return admission.admitted ? `${admission.limits.perMinute} a minute` : admission.refusal.code
}

describe.each(STORAGES)("keys, $name", ({ openShop }) => {
  const open = async () => {
    const time = handClock(NOON_MS)
    const { store } = await openShop({ clock: time.clock })
    const { accounts, keys } = store.direct
    const account = accounts.create({ name: "Ann", plan: "free" })
    return { store, accounts, keys, account, time }
  }

  test("a key is shown in full once, and never again", async () => {
    const { keys, account } = await open()
    const issued = keys.create(account.id, { name: "Till" })
    expect(issued.key).toMatch(/^ps_[0-9A-Za-z]{38}$/)
    const { key, ...shown } = issued
    expect(shown).toEqual({
      id: 1,
      accountId: account.id,
      name: "Till",
      start: key.slice(0, 8),
      createdAt: "2026-01-31T12:00:00Z",
      disabled: false
    })
    expect(keys.get(issued.id)).toEqual(shown)
    expect(keys.list().items).toEqual([shown])
  })

  test("an account may have several keys, which are listed by account and share its limits", async () => {
    const { store, accounts, keys, account } = await open()
    const other = accounts.create({ plan: "pro" })
    const [first, second] = [keys.create(account.id), keys.create(account.id)]
    keys.create(other.id)
    expect(keys.list({ accountId: account.id }).items.map(({ id }) => id)).toEqual([
      first.id,
      second.id
    ])
    expect(keys.list({ accountId: other.id }).items).toHaveLength(1)
    expect(keys.list({ accountId: 99 }).items).toEqual([])
    for (const { key } of [first, second, first])
      expect(await present(store, key)).toBe("60 a minute")
    expect((await store.limits.get(account.id)).minute.used).toBe(3)
  })

  test("no key is made for an account that is not there, or with a name or end that is none", async () => {
    const { keys, account } = await open()
    expect(refusal(() => keys.create(99))).toBe("not_found")
    expect(refusal(() => keys.create(account.id, { name: " " }))).toBe("validation_failed")
    expect(refusal(() => keys.create(account.id, { expiresAt: "tomorrow" }))).toBe(
      "validation_failed"
    )
    expect(refusal(() => keys.get(1))).toBe("not_found")
  })

  test("a disabled key is refused until it is enabled again, other keys of the account are not", async () => {
    const { store, keys, account } = await open()
    const [till, other] = [keys.create(account.id), keys.create(account.id)]
    expect(keys.disable(till.id).disabled).toBe(true)
    expect(await present(store, till.key)).toBe("key_disabled")
    expect(await present(store, other.key)).toBe("60 a minute")
    expect(keys.enable(till.id).disabled).toBe(false)
    expect(await present(store, till.key)).toBe("60 a minute")
  })

  test("a revoked key is refused from the next request on, for good, and revoking again changes nothing", async () => {
    const { store, keys, account, time } = await open()
    const { id, key } = keys.create(account.id)
    expect(await present(store, key)).toBe("60 a minute")
    const { revokedAt } = keys.revoke(id)
    expect(await present(store, key)).toBe("revoked_key")
    time.pass(HOUR_MS)
    expect(keys.revoke(id).revokedAt).toBe(revokedAt)
    keys.enable(id)
    expect(await present(store, key)).toBe("revoked_key")
  })

  test("a rotated key works until the overlap is over, a millisecond before its end included, and the new one at once", async () => {
    const { store, keys, account, time } = await open()
    const old = keys.create(account.id, { name: "Till", expiresAt: "2026-03-01T00:00:00Z" })
    const next = keys.rotate(old.id, { overlapMs: HOUR_MS })
    expect(next).toMatchObject({
      name: "Till",
      accountId: account.id,
      expiresAt: "2026-03-01T00:00:00Z"
    })
    expect(keys.get(old.id).revokedAt).toBe("2026-01-31T13:00:00Z")
    expect(next.key).not.toBe(old.key)
    time.pass(HOUR_MS - 1)
    expect(await present(store, old.key)).toBe("60 a minute")
    expect(await present(store, next.key)).toBe("60 a minute")
    time.pass(1)
    expect(await present(store, old.key)).toBe("revoked_key")
    expect(await present(store, next.key)).toBe("60 a minute")
  })

  test("rotating without an overlap ends the old key now", async () => {
    const { store, keys, account } = await open()
    const first = keys.create(account.id)
    keys.rotate(first.id)
    expect(await present(store, first.key)).toBe("revoked_key")
    expect(refusal(() => keys.rotate(first.id))).toBe("revoked_key")
  })

  test("a key that is replaced is not replaced again, so that its overlap stays what was promised", async () => {
    const { store, keys, account, time } = await open()
    const first = keys.create(account.id)
    const second = keys.rotate(first.id, { overlapMs: HOUR_MS })
    expect(refusal(() => keys.rotate(first.id))).toBe("replaced_key")
    expect(() => keys.rotate(first.id, { overlapMs: 2 * HOUR_MS })).toThrow(
      "this key is replaced and works until 2026-01-31T13:00:00Z: rotate the one that replaced it, or make another"
    )
    expect(keys.list().items).toHaveLength(2)
    time.pass(HOUR_MS - 1)
    expect(await present(store, first.key)).toBe("60 a minute")
    expect(keys.rotate(second.id).id).toBe(3)
    time.pass(1)
    expect(refusal(() => keys.rotate(first.id))).toBe("revoked_key")
  })

  test("a disabled key stays disabled through a rotation, and one that is over can't be rotated", async () => {
    const { keys, account, time } = await open()
    const off = keys.create(account.id)
    keys.disable(off.id)
    expect(keys.rotate(off.id).disabled).toBe(true)
    expect(refusal(() => keys.rotate(off.id))).toBe("revoked_key")
    const short = keys.create(account.id, { expiresAt: "2026-01-31T12:00:01Z" })
    time.pass(SECOND_MS)
    expect(refusal(() => keys.rotate(short.id))).toBe("expired_key")
  })

  test.each([-1, 0.5, Number.NaN, Infinity, 366 * 86_400_000 + 1])(
    "an overlap of %d ms is refused",
    async (overlapMs) => {
      const { keys, account } = await open()
      const { id } = keys.create(account.id)
      expect(refusal(() => keys.rotate(id, { overlapMs }))).toBe("validation_failed")
    }
  )

  test("an expired key is refused from that very millisecond on, and its end can be moved or taken away", async () => {
    const { store, keys, account, time } = await open()
    const { id, key } = keys.create(account.id, { expiresAt: "2026-01-31T12:00:01Z" })
    time.pass(SECOND_MS - 1)
    expect(await present(store, key)).toBe("60 a minute")
    time.pass(1)
    expect(await present(store, key)).toBe("expired_key")
    expect(keys.expire(id, { expiresAt: null }).expiresAt).toBeUndefined()
    expect(await present(store, key)).toBe("60 a minute")
    keys.expire(id, { expiresAt: "2020-01-01T00:00:00Z" })
    expect(await present(store, key)).toBe("expired_key")
    expect(refusal(() => keys.expire(id, { expiresAt: "soon" }))).toBe("validation_failed")
    for (const expiresAt of ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"]) {
      const years = "expiresAt: expected an instant of the years 1 to 9999 in UTC"
      expect(() => keys.expire(id, { expiresAt })).toThrow(years)
      expect(() => keys.create(account.id, { expiresAt })).toThrow(years)
      expect(() => keys.rotate(id, { expiresAt })).toThrow(years)
    }
    expect(refusal(() => keys.expire(99, { expiresAt: null }))).toBe("not_found")
  })

  test("a changed plan counts from the next request on, and so do an enterprise account's numbers", async () => {
    const { store, accounts, keys, account } = await open()
    const { key } = keys.create(account.id)
    expect(await present(store, key)).toBe("60 a minute")
    accounts.setPlan(account.id, { plan: "pro" })
    expect(await present(store, key)).toBe("300 a minute")
    accounts.setPlan(account.id, { plan: "enterprise", perMinute: 7, perDay: 10 ** 12 })
    expect(await present(store, key)).toBe("7 a minute")
    await store.transact(function* (tx) {
      yield* tx.accounts.setPlan(account.id, { plan: "enterprise", perMinute: 3, perDay: 3 })
    })
    expect(await present(store, key)).toBe("rate_limited")
  })

  test("when a key was last used is stored with its first use, then once a minute", async () => {
    const { store, keys, account, time } = await open()
    const { id, key } = keys.create(account.id)
    const used = async (afterMs: number) => {
      time.pass(afterMs)
      await present(store, key)
      // Writes are stored in the order in which they came: with a later one, the use is stored too.
      await store.categories.create({ name: `at ${time.nowMs()}` })
      return keys.get(id).lastUsedAt
    }
    expect(await used(0)).toBe("2026-01-31T12:00:00Z")
    expect(await used(59 * SECOND_MS)).toBe("2026-01-31T12:00:00Z")
    expect(await used(SECOND_MS)).toBe("2026-01-31T12:01:00Z")
    keys.disable(id)
    expect(await used(HOUR_MS)).toBe("2026-01-31T12:01:00Z")
  })
})

describe("a file with two stores on it, as of two processes", () => {
  const openBoth = async () => {
    const filename = join(temporaryFolder(), "pets.db")
    const time = handClock(NOON_MS)
    const openOne = async () => {
      const storage = SqliteStorage.layer({ filename, durability: "relaxed" })
      const store = await PetStore.open({ storage, clock: time.clock })
      onTestFinished(() => store.close())
      return store
    }
    return { one: await openOne(), other: await openOne(), openOne, time }
  }

  test("what the other does to a key or an account counts from the next request on", async () => {
    const { one, other } = await openBoth()
    const account = await other.accounts.create({ plan: "free" })
    const { id, key }: IssuedKey = await other.keys.create(account.id)
    expect(await present(one, key)).toBe("60 a minute")
    await other.accounts.setPlan(account.id, { plan: "pro" })
    expect(await present(one, key)).toBe("300 a minute")
    other.direct.keys.disable(id)
    expect(await present(one, key)).toBe("key_disabled")
    other.direct.keys.enable(id)
    expect(await present(one, key)).toBe("300 a minute")
    await other.keys.revoke(id)
    expect(await present(one, key)).toBe("revoked_key")
  })

  test("closing stores every last use, and none that is older than what is stored", async () => {
    const { one, other, openOne, time } = await openBoth()
    const account = await one.accounts.create({ plan: "business" })
    const issued = await Promise.all(Array.from({ length: 300 }, () => one.keys.create(account.id)))
    for (const { key } of issued) await present(one, key)
    time.pass(30 * SECOND_MS)
    for (const { key } of issued) await present(one, key)
    await one.close()
    const uses = async (store: OpenPetStore) => {
      const shown = await Promise.all(issued.map(({ id }) => store.keys.get(id)))
      return new Set(shown.map(({ lastUsedAt }) => lastUsedAt))
    }
    expect(await uses(other)).toEqual(new Set(["2026-01-31T12:00:30Z"]))
    time.pass(-HOUR_MS)
    const late = await openOne()
    for (const { key } of issued.slice(0, 10)) await present(late, key)
    await late.close()
    expect(await uses(other)).toEqual(new Set(["2026-01-31T12:00:30Z"]))
  })
})

test("a storage that takes no write of last uses still lets requests in", async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const account = await store.accounts.create({ plan: "free" })
  const { key } = await store.keys.create(account.id)
  const { direct } = store.engine
  if (direct === undefined) throw new Error("memory answers at once")
  Object.assign(direct, {
    submit: () => {
      throw new Error("planned by a test")
    }
  })
  expect(await present(store, key)).toBe("60 a minute")
  await store.close()
})
