/** The state of a key in one word. */
import * as Either from "effect/Either"
import type { ApiKey } from "./ApiKey.js"
import { readInstant } from "../../value/Instant.js"
import { keyStanding } from "./KeyStanding.js"

/** The states of a key. Only an `active` key is accepted. */
export type KeyState = "active" | "disabled" | "expired" | "revoked"

const STATES = { revoked_key: "revoked", expired_key: "expired", key_disabled: "disabled" } as const

const msOf = (instant: string | undefined): number | null =>
  instant === undefined ? null : (readInstant(instant) ?? null)

/** The state of a key at a time, by the rule of the authenticator. */
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
