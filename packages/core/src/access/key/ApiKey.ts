/** API keys: how an account's requests are recognised. Only a digest of a key is stored. */
import { Instant } from "../../value/Instant.js"
import { nullable, integer } from "../../value/Field.js"
import { type InputOf, optional, type RecordOf, struct } from "../../value/Struct.js"
import { Name } from "../../value/Text.js"

/** What issuing a key takes. */
export const NewKey = struct("NewKey", {
  /** For people to tell keys apart. */
  name: optional(Name),
  /** From then on the key is refused; absent for a key without an end. */
  expiresAt: optional(Instant)
})
export interface NewKey extends RecordOf<typeof NewKey> {}

/** As written by a caller: instants are RFC 3339 texts. */
export interface NewKeyInput extends InputOf<typeof NewKey> {}

const LONGEST_OVERLAP_MS = 366 * 86_400_000

/** For how long two keys or secrets may work side by side: up to 366 days. */
export const OverlapMs = integer({
  expected: `milliseconds from 0 to ${LONGEST_OVERLAP_MS}, which are 366 days`,
  from: 0,
  to: LONGEST_OVERLAP_MS,
  format: "int64"
})

/** How a key is rotated: what becomes of the old one, and when the new one ends. */
export const KeyRotation = struct("KeyRotation", {
  /** For so long the old key works on; not at all unless given. */
  overlapMs: optional(OverlapMs),
  /** When the new key ends; as the old one unless given. */
  expiresAt: optional(Instant)
})
export interface KeyRotation extends RecordOf<typeof KeyRotation> {}

/** As written by a caller: instants are RFC 3339 texts. */
export interface KeyRotationInput extends InputOf<typeof KeyRotation> {}

/** When a key ends. */
export const KeyEnd = struct("KeyEnd", {
  /** From then on the key is refused; null for never. */
  expiresAt: nullable(Instant, "an RFC 3339 date-time with an offset, or null")
})
export interface KeyEnd extends RecordOf<typeof KeyEnd> {}

/** As written by a caller: the instant is an RFC 3339 text. */
export interface KeyEndInput extends InputOf<typeof KeyEnd> {}

/** A key as it is answered, without its text. Instants are RFC 3339 texts in UTC. */
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
