/** The decision whether a request is served: who the caller is, and whether its limits allow it. */
import type {
  ConflictingKeys,
  ExpiredKey,
  InvalidKey,
  KeyDisabled,
  MissingKey,
  RevokedKey
} from "../key/errors.js"
import type { Limits } from "../account/Plan.js"
import type { RateHeaders } from "../limit/RateHeaders.js"
import type { KeyBanned, RateLimited } from "../limit/errors.js"
import type { StorageError } from "../../engine/port/StorageError.js"

/** What identifies the caller of a request: every value of the two headers, and the address. */
export type PresentedCredentials = {
  readonly apiKey: ReadonlyArray<string>
  readonly authorization: ReadonlyArray<string>
  readonly address: string
}

/** The caller. It has no key if the host identified the account by other means. */
export type Caller = { readonly accountId: number; readonly keyId: number | null }

/** Why a request is refused. */
export type AdmissionRefusal =
  | MissingKey
  | InvalidKey
  | ExpiredKey
  | RevokedKey
  | KeyDisabled
  | ConflictingKeys
  | RateLimited
  | KeyBanned
  | StorageError

/**
 * Both outcomes have the standing of the account, or of the address if no account is known. If the
 * storage of counts fails, it is the last standing that this process knows. If the look-up of the
 * key fails, all numbers are 0.
 */
export type Admission =
  | {
      readonly admitted: true
      readonly caller: Caller
      readonly limits: Limits
      readonly rate: RateHeaders
    }
  | {
      readonly admitted: false
      readonly refusal: AdmissionRefusal
      readonly limits: Limits
      readonly rate: RateHeaders
    }
