/** Reads the key of a request from the two headers that may carry one. Does not look it up. */
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

/** More than any key with its scheme needs. Longer values are not parsed. */
const MAX_HEADER_LENGTH = 100

// These errors are the same for every request, so one instance of each is enough.
const missing = Either.left(withoutStack(() => new MissingKey()))
const invalid = Either.left(withoutStack(() => new InvalidKey()))
const conflicting = Either.left(withoutStack(() => new ConflictingKeys()))

const wellFormed = (text: string): Either.Either<string, InvalidKey> =>
  isKeyText(text) ? Either.right(text) : invalid

/**
 * The well-formed text of the key. A repeated header, another scheme than Bearer, an empty or
 * malformed key: `InvalidKey`. Two different keys: `ConflictingKeys`. The same key in both headers
 * counts as one key.
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
