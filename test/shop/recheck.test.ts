/** Whether a caller that was let in would be let in now. */
import { openTestStore } from "@petstore/storage-memory"
import { expect, onTestFinished, test } from "vitest"

const opened = async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  const account = await store.accounts.create({ name: "Ann", plan: "free" })
  const { id, key } = await store.keys.create(account.id, { expiresAt: "2026-01-03T00:00:00Z" })
  const { authenticator } = store.engine
  const codeNow = async (keyId: number | null = id, accountId = account.id) =>
    (await authenticator.recheck({ accountId, keyId }, store.nowMs()))?.code
  const admit = () =>
    authenticator.admit({ apiKey: [key], authorization: [], address: "here" }, store.nowMs())
  return { store, account, id, codeNow, admit }
}

test("a caller in good standing stays so, at no cost", async () => {
  const { store, account, codeNow } = await opened()
  for (let n = 0; n < 100; n++) expect(await codeNow()).toBeUndefined()
  expect(await codeNow(null)).toBeUndefined()
  expect((await store.limits.get(account.id)).minute.used).toBe(0)
})

test("a key that is disabled, expired, revoked or missing is reported by its code", async () => {
  const { store, id, codeNow } = await opened()
  await store.keys.disable(id)
  expect(await codeNow()).toBe("key_disabled")
  expect(await codeNow(null)).toBeUndefined()
  await store.keys.enable(id)
  store.advance("3 days")
  expect(await codeNow()).toBe("expired_key")
  await store.keys.revoke(id)
  expect(await codeNow()).toBe("revoked_key")
  expect(await codeNow(99)).toBe("invalid_key")
  expect(await codeNow(null, 99)).toBe("invalid_key")
})

test("a ban is reported until it is over, whatever the key; a used-up limit is not reported", async () => {
  const { store, account, codeNow, admit } = await opened()
  for (let n = 0; n < 61; n++) await admit()
  expect(await codeNow()).toBeUndefined()
  store.advance("2 seconds")
  for (let n = 0; n < 10; n++) await admit()
  expect(await codeNow()).toBe("key_banned")
  expect(await codeNow(null)).toBe("key_banned")
  await store.advanceToEndOfBan(account.id)
  expect(await codeNow()).toBeUndefined()
})
