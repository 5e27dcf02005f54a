/** How keys are shown: never their text, but for a new one. */
import { type ApiKey, type IssuedKey, keyState, type Plan } from "@petstore/core"
import { drawTable, shortTime, printable } from "../terminal/text.js"

/** A key as programs get it. */
export const keyJson = ({ accountId, ...key }: ApiKey) => {
  const { id, ...rest } = key
  return { id, account: accountId, ...rest }
}

/** A new key as programs get it. */
export const issuedJson = ({ id, accountId, key }: IssuedKey, plan: Plan) => ({
  id,
  account: accountId,
  key,
  plan
})

/** When a key ends or has ended, if it does: revoked, which may be ahead while a rotation overlaps, or expired. */
export const endOf = ({ revokedAt, expiresAt }: ApiKey): string | undefined =>
  revokedAt === undefined || (expiresAt !== undefined && Date.parse(expiresAt) < Date.parse(revokedAt))
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
