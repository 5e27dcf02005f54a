/** A key's standing in one word, from the key as it is shown. */
import * as Either from "effect/Either"
import type { ApiKey } from "./ApiKey.js"
import { readInstant } from "../../value/Instant.js"
import { keyStanding } from "./KeyStanding.js"

/** What a key is good for: only an `active` one lets in. */
export type KeyState = "active" | "disabled" | "expired" | "revoked"

const STATES = { revoked_key: "revoked", expired_key: "expired", key_disabled: "disabled" } as const

const msOf = (instant: string | undefined): number | null =>
  instant === undefined ? null : (readInstant(instant) ?? null)

/** Whether a key can be used at a time, and if not, why: the rule by which requests are let in. */
export const keyState = (
  { revokedAt, expiresAt, disabled }: Pick<ApiKey, "revokedAt" | "expiresAt" | "disabled">,
  nowMs: number
): KeyState =>
  Either.match(
    keyStanding({ revokedMs: msOf(revokedAt), expiresMs: msOf(expiresAt), disabled }, nowMs),
    {
      onLeft: ({ code }) => STATES[code],
      onRight: () => "active"
    }
  )
