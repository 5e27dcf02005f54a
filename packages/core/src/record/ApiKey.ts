/** API keys: how an account's requests are recognised. Only a digest of a key is stored. */
import * as Schema from "effect/Schema"
import { expected } from "./Expected.js"
import { Instant } from "./Instant.js"
import { Name } from "./Text.js"

export const NewKey = Schema.Struct({
  /** For people to tell keys apart. */
  name: Schema.optionalWith(Name, { exact: true }),
  /** From then on the key is refused; absent for a key without an end. */
  expiresAt: Schema.optionalWith(Instant, { exact: true })
}).annotations({ identifier: "NewKey" })
export type NewKey = typeof NewKey.Type
export type NewKeyInput = typeof NewKey.Encoded

const LONGEST_OVERLAP_MS = 366 * 86_400_000

export const KeyRotation = Schema.Struct({
  /** For so long the old key works on; not at all unless given. */
  overlapMs: Schema.optionalWith(
    Schema.Number.pipe(
      Schema.filter((ms) => Number.isInteger(ms) && ms >= 0 && ms <= LONGEST_OVERLAP_MS),
      expected(`milliseconds from 0 to ${LONGEST_OVERLAP_MS}, which are 366 days`, { type: "integer" })
    ),
    { exact: true }
  ),
  /** When the new key ends; as the old one unless given. */
  expiresAt: Schema.optionalWith(Instant, { exact: true })
})
export type KeyRotation = typeof KeyRotation.Type
export type KeyRotationInput = typeof KeyRotation.Encoded

export const KeyEnd = Schema.Struct({
  /** From then on the key is refused; null for never. */
  expiresAt: Schema.NullOr(Instant).pipe(
    expected("an RFC 3339 date-time with an offset, or null", { type: "string", format: "date-time" })
  )
})
export type KeyEnd = typeof KeyEnd.Type
export type KeyEndInput = typeof KeyEnd.Encoded

export type ApiKey = {
  readonly id: number
  readonly accountId: number
  readonly name: string
  /** The first characters of the key. */
  readonly start: string
  readonly createdAt: string
  readonly expiresAt?: string
  /** Revoked as of then, which may be ahead while a rotation overlaps. */
  readonly revokedAt?: string
  readonly disabled: boolean
  /** When it was last used, exact to the minute; absent for a key that never was. */
  readonly lastUsedAt?: string
}

/** A key as issued: `key` is shown this once and stored nowhere. */
export type IssuedKey = ApiKey & { readonly key: string }
