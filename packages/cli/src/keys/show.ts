/** Prints keys, without their text except for a new one. */
import { type ApiKey, type IssuedKey, keyState, type Plan } from "@petstore/core"
import { drawTable, shortTime, printable } from "../terminal/text.js"

/** A key for programs. */
export const keyJson = ({ accountId, ...key }: ApiKey) => {
  const { id, ...rest } = key
  return { id, account: accountId, ...rest }
}

/** A new key for programs. */
export const issuedJson = ({ id, accountId, key }: IssuedKey, plan: Plan) => ({
  id,
  account: accountId,
  key,
  plan
})

/**
 * When a key ends or has ended: its expiry or its revocation, which is in the future while a
 * rotation overlaps.
 */
export const endOf = ({ revokedAt, expiresAt }: ApiKey): string | undefined =>
  revokedAt === undefined ||
  (expiresAt !== undefined && Date.parse(expiresAt) < Date.parse(revokedAt))
    ? expiresAt
    : revokedAt

export const keyTable = (keys: ReadonlyArray<ApiKey>, nowMs: number): Promise<string> =>
  drawTable(
    ["id", "account", "name", "key", "state", "created (UTC)", "last used (UTC)", "ends (UTC)"],
    keys.map((key) => [
      String(key.id),
      String(key.accountId),
      printable(key.name, 30),
      `${key.start}…`,
      keyState(key, nowMs),
      shortTime(key.createdAt),
      shortTime(key.lastUsedAt),
      shortTime(endOf(key))
    ]),
    [0, 1]
  )
