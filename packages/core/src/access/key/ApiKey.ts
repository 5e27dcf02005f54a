/** API keys, which identify the account of a request. Only a digest of a key is stored. */
import { Instant } from "../../value/Instant.js"
import { nullable, integer } from "../../value/Field.js"
import { type InputOf, optional, type RecordOf, struct } from "../../value/Struct.js"
import { Name } from "../../value/Text.js"

/** The input for a new key. */
export const NewKey = struct("NewKey", {
  /** A name for people. */
  name: optional(Name),
  /** When the key expires; absent for never. */
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

/** How a key is rotated: how long the old one stays valid, and when the new one expires. */
export const KeyRotation = struct("KeyRotation", {
  /** How long the old key stays valid. By default, it ends at once. */
  overlapMs: optional(OverlapMs),
  /** When the new key expires. By default, when the old one does. */
  expiresAt: optional(Instant)
})
export interface KeyRotation extends RecordOf<typeof KeyRotation> {}

/** As written by a caller: instants are RFC 3339 texts. */
export interface KeyRotationInput extends InputOf<typeof KeyRotation> {}

/** When a key expires. */
export const KeyEnd = struct("KeyEnd", {
  /** The time from which the key is refused; null for never. */
  expiresAt: nullable(Instant, "an RFC 3339 date-time with an offset, or null")
})
export interface KeyEnd extends RecordOf<typeof KeyEnd> {}

/** As written by a caller: the instant is an RFC 3339 text. */
export interface KeyEndInput extends InputOf<typeof KeyEnd> {}

/** A key as callers see it, without its text. Instants are RFC 3339 texts in UTC. */
export type ApiKey = {
  readonly id: number
  readonly accountId: number
  readonly name: string
  /** The first characters of the key. */
  readonly start: string
  readonly createdAt: string
  readonly expiresAt?: string
  /** The time from which the key is revoked. It is in the future while a rotation overlaps. */
  readonly revokedAt?: string
  readonly disabled: boolean
  /** The last use, exact to the minute; absent if the key was never used. */
  readonly lastUsedAt?: string
}

/** A new key. `key` is shown only this once and stored nowhere. */
export type IssuedKey = ApiKey & { readonly key: string }
