/** API keys: how an account's requests are recognised. Only a digest of a key is stored. */
import { Schema } from "effect"
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
}

/** A key as issued: `key` is shown this once and stored nowhere. */
export type IssuedKey = ApiKey & { readonly key: string }
