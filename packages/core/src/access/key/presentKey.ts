/** Presents a key to callers. Its text is shown only when it is created. */
import type { KeyRow } from "./rows.js"
import type { ApiKey, IssuedKey } from "./ApiKey.js"
import { formatInstant } from "../../value/Instant.js"

/** A key with the time of its last use. */
export type KnownKey = { readonly row: KeyRow; readonly usedMs: number | undefined }

export const presentKey = ({ row, usedMs }: KnownKey): ApiKey => ({
  id: row.id,
  accountId: row.accountId,
  name: row.name,
  start: row.start,
  createdAt: formatInstant(row.createdMs),
  ...(row.expiresMs === null ? {} : { expiresAt: formatInstant(row.expiresMs) }),
  ...(row.revokedMs === null ? {} : { revokedAt: formatInstant(row.revokedMs) }),
  disabled: row.disabled,
  ...(usedMs === undefined ? {} : { lastUsedAt: formatInstant(usedMs) })
})

type KeyWithText = { readonly row: KeyRow; readonly text: string }

export const presentWithText = ({ row, text }: KeyWithText): IssuedKey => ({
  ...presentKey({ row, usedMs: undefined }),
  key: text
})
