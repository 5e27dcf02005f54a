/**
 * Which key a request carries, from the two headers that may carry one. Knows nothing of what is
 * stored.
 */
import * as Either from "effect/Either"
import { isKeyText } from "./KeyText.js"
import { withoutStack } from "../../value/withoutStack.js"
import { ConflictingKeys, InvalidKey, MissingKey } from "./errors.js"

/** Every value of each header, as received and not joined: a header sent twice has two values. */
export type CredentialHeaders = {
  readonly apiKey: ReadonlyArray<string>
  readonly authorization: ReadonlyArray<string>
}

/**
 * RFC 9110 §11.1: the scheme's name is case-insensitive, and blanks separate it from the token (RFC
 * 6750 §2.1).
 */
const BEARER = /^bearer +([^ ]*)$/i

/** More than any key with its scheme needs; longer values are not looked at. */
const MAX_HEADER_LENGTH = 100

// These say nothing that differs from request to request, so one of each answers all.
const missing = Either.left(withoutStack(() => new MissingKey()))
const invalid = Either.left(withoutStack(() => new InvalidKey()))
const conflicting = Either.left(withoutStack(() => new ConflictingKeys()))

const wellFormed = (text: string): Either.Either<string, InvalidKey> =>
  isKeyText(text) ? Either.right(text) : invalid

/**
 * The text of the key, well formed. A doubled header, another scheme than Bearer, an empty or
 * malformed key: `InvalidKey`. Two different keys: `ConflictingKeys`; the same key in both headers
 * is that key.
 */
export const keyOf = (
  headers: CredentialHeaders
): Either.Either<string, MissingKey | InvalidKey | ConflictingKeys> => {
  const { apiKey, authorization } = headers
  if (apiKey.length > 1 || authorization.length > 1) return invalid
  const [key] = apiKey
  const [authorized] = authorization
  if (authorized === undefined) return key === undefined ? missing : wellFormed(key)
  if (authorized.length > MAX_HEADER_LENGTH) return invalid
  const token = BEARER.exec(authorized)?.[1]
  if (token === undefined) return invalid
  return key === undefined || key === token ? wellFormed(token) : conflicting
}
