/** Keys that work now, and will have expired soon. */
import { formatInstant, keyState } from "@petstore/core"
import type { Connection } from "../driver/Driver.js"
import type { ExpiringKey } from "./StoreStatus.js"

/** How soon a key must expire to be told of: 14 days. */
export const EXPIRING_MS = 14 * 86_400_000

type Found = readonly [
  id: number,
  accountId: number,
  name: string,
  start: string,
  expiresMs: number,
  usedMs: number | null,
  revokedMs: number | null,
  disabled: number
]

const stateAt = ([, , , , expiresMs, , revokedMs, disabled]: Found, timeMs: number) =>
  keyState(
    {
      expiresAt: formatInstant(expiresMs),
      ...(revokedMs === null ? {} : { revokedAt: formatInstant(revokedMs) }),
      disabled: disabled !== 0
    },
    timeMs
  )

/** The first to expire first. A key that is revoked before it expires is not among them. */
export const expiringKeysIn = (file: Connection, nowMs: number): ReadonlyArray<ExpiringKey> =>
  file
    .rows<Found>(
      `SELECT keys.id, account_id, name, start, expires_ms, used_ms, revoked_ms, disabled
        FROM keys LEFT JOIN key_uses ON key_uses.id = keys.id
        WHERE expires_ms > ? AND expires_ms <= ? ORDER BY expires_ms, keys.id`
    )
    .all(nowMs, nowMs + EXPIRING_MS)
    .filter((key) => stateAt(key, nowMs) === "active" && stateAt(key, key[4]) === "expired")
    .map(([id, accountId, name, start, expiresMs, usedMs]) => ({
      id,
      accountId,
      name,
      start,
      expiresMs,
      usedMs
    }))
