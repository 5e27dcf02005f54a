/** Finds active keys that expire soon. */
import { formatInstant, keyState } from "@petstore/core"
import type { Connection } from "../driver/Driver.js"
import type { ExpiringKey } from "./StoreStatus.js"

/** A key is listed if it expires within this time: 14 days. */
export const EXPIRING_MS = 14 * 86_400_000

type KeyRow = readonly [
  id: number,
  accountId: number,
  name: string,
  start: string,
  expiresMs: number,
  usedMs: number | null,
  revokedMs: number | null,
  disabled: number
]

const stateAt = ([, , , , expiresMs, , revokedMs, disabled]: KeyRow, timeMs: number) =>
  keyState(
    {
      expiresAt: formatInstant(expiresMs),
      ...(revokedMs === null ? {} : { revokedAt: formatInstant(revokedMs) }),
      disabled: disabled !== 0
    },
    timeMs
  )

/** Sorted by expiry. Without keys that a scheduled revocation ends before they expire. */
export const expiringKeysIn = (file: Connection, nowMs: number): ReadonlyArray<ExpiringKey> =>
  file
    .rows<KeyRow>(
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
