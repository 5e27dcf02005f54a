/**
 * Authenticates requests: checks the key, finds the account and its limits, and counts the request.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { keyOf } from "../key/Credentials.js"
import { keyStanding } from "../key/KeyStanding.js"
import { InvalidKey } from "../key/errors.js"
import { sha256Words } from "../key/Sha256.js"
import { accountKey } from "../limit/accountKey.js"
import { makeAddressBook } from "../limit/AddressBook.js"
import type { BanPolicy } from "../limit/Ban.js"
import { type RefusedRequest, refusalOf } from "../limit/Decision.js"
import type { Limiter } from "../limit/Limiter.js"
import { makeLimiter } from "../limit/makeLimiter.js"
import { type FixedPlans, type Limits, limitsOf } from "../account/Plan.js"
import { unknownStanding } from "../limit/RateHeaders.js"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Write } from "../../engine/port/Runner.js"
import { StorageError } from "../../engine/port/StorageError.js"
import type { Usage } from "../../engine/port/Usage.js"
import { type AccountRow, accounts } from "../account/rows.js"
import { get } from "../../engine/program/requests.js"
import { withoutStack } from "../../value/withoutStack.js"
import type { Admission, AdmissionRefusal, Caller, PresentedCredentials } from "./Admission.js"
import type { CachedKey } from "./CachedKey.js"
import { makeKeyDirectory, type Records } from "./KeyDirectory.js"
import { makeKeyUses } from "./KeyUses.js"
import { makeRecheck } from "./recheck.js"

/** Admits or refuses requests by key, plan, limits and bans, and counts them. For adapters. */
export type Authenticator = {
  /**
   * Decides on one request and counts it: at once if the storage and the counters answer at once.
   */
  readonly admit: (presented: PresentedCredentials, nowMs: number) => MaybePromise<Admission>
  /**
   * The same for a request whose account the host identified without a key. A missing account is
   * refused like an unknown key.
   */
  readonly admitAccount: (
    accountId: number,
    address: string,
    nowMs: number
  ) => MaybePromise<Admission>
  /** Why a caller that was admitted would be refused now; undefined if not. Counts nothing. */
  readonly recheck: (caller: Caller, nowMs: number) => MaybePromise<AdmissionRefusal | undefined>
  /** The standing of an address. Counts nothing: for responses that are free and need no key. */
  readonly addressStanding: (address: string, nowMs: number) => Pick<Admission, "limits" | "rate">
  /** Counts by account. */
  readonly limiter: Limiter
  /** The limits of an account now. */
  readonly limitsOf: (account: AccountRow) => Limits
  readonly banPolicy: BanPolicy
  /** Returns leased requests and stores pending uses. For closing. */
  readonly settle: Effect.Effect<void, StorageError>
  /**
   * Clears all memory without storing any of it, as when the process dies: leases are lost,
   * addresses and keys unknown. For test engines, which replace what is stored.
   */
  readonly forget: () => void
}

type Dependencies = Pick<Records, "read" | "dataVersion"> & {
  readonly write: Write
  readonly usage: Context.Tag.Service<Usage>
  readonly plans: FixedPlans
  readonly banPolicy: BanPolicy
}

export const makeAuthenticator = ({
  read,
  dataVersion,
  write,
  usage,
  plans,
  banPolicy
}: Dependencies): Authenticator => {
  const newMemory = () => ({
    limiter: makeLimiter({ usage, banPolicy }),
    addresses: makeAddressBook(banPolicy),
    directory: makeKeyDirectory({
      read,
      dataVersion,
      limitsOf: (account) => limitsOf(account, plans)
    }),
    uses: makeKeyUses(write)
  })
  let { limiter, addresses, directory, uses } = newMemory()

  /** Counts a request for its address, at the limits of the free plan, and refuses it. */
  const refuse = (refusal: AdmissionRefusal, address: string, nowMs: number): Admission => {
    const decision = addresses.admit(address, plans.free, nowMs)
    return decision._tag === "Admitted"
      ? { admitted: false, refusal, limits: plans.free, rate: decision.headers }
      : refused(decision, plans.free)
  }

  const admitKey = (key: CachedKey, address: string, nowMs: number): MaybePromise<Admission> => {
    const standing = keyStanding(key, nowMs)
    if (Either.isLeft(standing)) return refuse(standing.left, address, nowMs)
    uses.note(key, nowMs)
    const { limits, accountId, keyId } = key
    return count({ accountId, keyId }, key.caller, limits, nowMs)
  }

  const count = (
    caller: Caller,
    callerKey: string,
    limits: Limits,
    nowMs: number
  ): MaybePromise<Admission> =>
    andThen(limiter.admit(callerKey, limits, nowMs), (answer) =>
      answer._tag === "Admitted"
        ? { admitted: true, caller, limits, rate: answer.headers }
        : answer._tag === "StorageError"
          ? uncounted(answer, callerKey, limits, nowMs)
          : refused(answer, limits)
    )

  /** Refuses a request that could not be counted, with the last known standing. */
  const uncounted = (
    refusal: StorageError,
    callerKey: string,
    limits: Limits,
    nowMs: number
  ): Admission => ({
    admitted: false,
    refusal,
    limits,
    rate: limiter.lastKnown(callerKey, limits, nowMs)
  })

  return {
    get limiter() {
      return limiter
    },
    banPolicy,
    recheck: makeRecheck(
      read,
      () => limiter,
      (account) => limitsOf(account, plans)
    ),
    addressStanding: (address, nowMs) => ({
      limits: plans.free,
      rate: addresses.headers(address, plans.free, nowMs)
    }),
    limitsOf: (account) => limitsOf(account, plans),
    settle: Effect.zipRight(
      Effect.suspend(() => uses.flush(directory.cachedKeys())),
      Effect.suspend(() => limiter.flush)
    ),
    forget: () => {
      ;({ limiter, addresses, directory, uses } = newMemory())
    },
    admitAccount: (accountId, address, nowMs) =>
      andThen(
        read(() => get(accounts, accountId)),
        (lookup) => {
          if (Either.isLeft(lookup)) return unrecognised(lookup.left, nowMs)
          const account = lookup.right
          return account === undefined
            ? refuse(unknownKey, address, nowMs)
            : count(
                { accountId, keyId: null },
                accountKey(accountId),
                limitsOf(account, plans),
                nowMs
              )
        }
      ),
    admit: (presented, nowMs) => {
      const text = keyOf(presented)
      if (Either.isLeft(text)) return refuse(text.left, presented.address, nowMs)
      return andThen(directory.find(sha256Words(text.right)), (entry) => {
        if (entry === undefined) return refuse(unknownKey, presented.address, nowMs)
        return entry instanceof StorageError
          ? unrecognised(entry, nowMs)
          : admitKey(entry, presented.address, nowMs)
      })
    }
  }
}

/** The same error as for a malformed key, so that a caller cannot learn which keys were issued. */
const unknownKey = withoutStack(() => new InvalidKey())

const refused = (answer: RefusedRequest, limits: Limits): Admission => ({
  admitted: false,
  refusal: refusalOf(answer),
  limits,
  rate: answer.headers
})

/**
 * Refuses a request whose caller is unknown because the storage failed: there are no limits to
 * report.
 */
const unrecognised = (refusal: StorageError, nowMs: number): Admission => ({
  admitted: false,
  refusal,
  ...unknownStanding(nowMs)
})
