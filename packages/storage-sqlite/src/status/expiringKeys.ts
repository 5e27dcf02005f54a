/** Keys that work now, and will have expired soon. */
import { formatInstant, keyState } from "@petstore/core"
import type { Database } from "better-sqlite3"
import type { ExpiringKey } from "./StoreStatus.js"

/** How soon a key must expire to be told of: 14 days. */
export const EXPIRING_MS = 14 * 86_400_000

type Found = ExpiringKey & { readonly revokedMs: number | null; readonly disabled: number }

const stateAt = ({ expiresMs, revokedMs, disabled }: Found, timeMs: number) =>
  keyState(
    {
      expiresAt: formatInstant(expiresMs),
      ...(revokedMs === null ? {} : { revokedAt: formatInstant(revokedMs) }),
      disabled: disabled !== 0
    },
    timeMs
  )

/** The first to expire first. A key that is revoked before it expires is not among them. */
export const expiringKeysIn = (file: Database, nowMs: number): ReadonlyArray<ExpiringKey> =>
  file
    .prepare<[number, number], Found>(
      `SELECT keys.id, account_id AS accountId, name, start, expires_ms AS expiresMs, used_ms AS usedMs,
          revoked_ms AS revokedMs, disabled
        FROM keys LEFT JOIN key_uses ON key_uses.id = keys.id
        WHERE expires_ms > ? AND expires_ms <= ? ORDER BY expires_ms, keys.id`
    )
    .all(nowMs, nowMs + EXPIRING_MS)
    .filter((key) => stateAt(key, nowMs) === "active" && stateAt(key, key.expiresMs) === "expired")
    .map(({ id, accountId, name, start, expiresMs, usedMs }) => ({
      id,
      accountId,
      name,
      start,
      expiresMs,
      usedMs
    }))
