/** Whether a request may come in: who asks, and whether the limits have room. */
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

/**
 * What a request shows of who it is from: every value of the two headers, and the address it came
 * from.
 */
export type Presented = {
  readonly apiKey: ReadonlyArray<string>
  readonly authorization: ReadonlyArray<string>
  readonly address: string
}

/** Who asks; without a key where the host knew the account by other means. */
export type Caller = { readonly accountId: number; readonly keyId: number | null }

/** Why a request is not let in. */
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
 * Either way there is a state of the limits to tell: of the account, or of the address where no
 * account is known. Where the storage of counts fails it is what this process last knew; where even
 * the look-up of the key fails, nothing is known and all numbers are 0.
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
