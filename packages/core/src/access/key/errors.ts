/**
 * The errors of keys: why a request is refused for its key, or why a key can't be replaced.
 * Messages say what to do next and never repeat the text of a key.
 */
import * as Data from "effect/Data"
import { formatInstant } from "../../value/Instant.js"

/** Neither header carries a key. */
export class MissingKey extends Data.TaggedError("MissingKey")<{}> {
  readonly code = "missing_key"
  override get message(): string {
    return "an API key is needed: send it as X-API-Key, or as Authorization: Bearer"
  }
}

/** The header has no well-formed key, or no such key was issued. A caller can't learn which. */
export class InvalidKey extends Data.TaggedError("InvalidKey")<{}> {
  readonly code = "invalid_key"
  override get message(): string {
    return (
      "this is not a valid API key: send exactly the text that was shown when the key was " +
      "made, once"
    )
  }
}

/** X-API-Key and Authorization carry different keys, so it is unclear who calls. */
export class ConflictingKeys extends Data.TaggedError("ConflictingKeys")<{}> {
  readonly code = "invalid_parameter"
  override get message(): string {
    return "X-API-Key and Authorization carry different keys: send one of them"
  }
}

/** The key has expired, at `expiresMs`. */
export class ExpiredKey extends Data.TaggedError("ExpiredKey")<{ readonly expiresMs: number }> {
  readonly code = "expired_key"
  override get message(): string {
    return (
      `this API key expired at ${formatInstant(this.expiresMs)}: use a newer one, or ask for ` +
      "one"
    )
  }
}

/** The key was revoked or replaced, at `revokedMs`. */
export class RevokedKey extends Data.TaggedError("RevokedKey")<{ readonly revokedMs: number }> {
  readonly code = "revoked_key"
  override get message(): string {
    return (
      `this API key was revoked at ${formatInstant(this.revokedMs)}: use the one that replaced ` +
      "it, or ask for one"
    )
  }
}

/**
 * The key has been replaced already and stays valid until `revokedMs`. Replacing it again would
 * shorten that.
 */
export class ReplacedKey extends Data.TaggedError("ReplacedKey")<{ readonly revokedMs: number }> {
  readonly code = "replaced_key"
  override get message(): string {
    return (
      `this key is replaced and works until ${formatInstant(this.revokedMs)}: rotate the one ` +
      "that replaced it, or make another"
    )
  }
}

/**
 * The key is switched off and can be switched on again; other keys of the account are unaffected.
 */
export class KeyDisabled extends Data.TaggedError("KeyDisabled")<{}> {
  readonly code = "key_disabled"
  override get message(): string {
    return "this API key is disabled: ask whoever issued it to enable it"
  }
}
