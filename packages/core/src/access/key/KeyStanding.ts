/** Whether a stored key may be used at a given time. */
import * as Either from "effect/Either"
import { withoutStack } from "../../value/withoutStack.js"
import { ExpiredKey, KeyDisabled, RevokedKey } from "./errors.js"

const revoked = (revokedMs: number) => withoutStack(() => new RevokedKey({ revokedMs }))
const expired = (expiresMs: number) => withoutStack(() => new ExpiredKey({ expiresMs }))
const disabled = Either.left(withoutStack(() => new KeyDisabled()))

type KeyDates = {
  readonly expiresMs: number | null
  readonly revokedMs: number | null
  readonly disabled: boolean
}

/**
 * The key if it is usable. `revokedMs` and `expiresMs` are the first milliseconds at which it is
 * not, so a rotation lets both keys overlap by revoking the old one in the future. Reports states
 * that are final first.
 */
export const keyStanding = <K extends KeyDates>(
  key: K,
  nowMs: number
): Either.Either<K, RevokedKey | ExpiredKey | KeyDisabled> =>
  key.revokedMs !== null && key.revokedMs <= nowMs
    ? Either.left(revoked(key.revokedMs))
    : key.expiresMs !== null && key.expiresMs <= nowMs
      ? Either.left(expired(key.expiresMs))
      : key.disabled
        ? disabled
        : Either.right(key)
