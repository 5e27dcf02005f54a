/** Lets requests in: recognises the key, finds the account and its limits, and counts the request. */
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
import { type Refused, refusalOf } from "../limit/Decision.js"
import { type Limiter, makeLimiter } from "../limit/Limiter.js"
import { type FixedPlans, type Limits, limitsOf } from "../account/Plan.js"
import { unknownStanding } from "../limit/RateHeaders.js"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Write } from "../../engine/port/Runner.js"
import { StorageError } from "../../engine/port/StorageError.js"
import type { Usage } from "../../engine/port/Usage.js"
import { type AccountRow, accounts } from "../account/rows.js"
import { get } from "../../engine/program/requests.js"
import { withoutStack } from "../../value/withoutStack.js"
import type { Admission, AdmissionRefusal, Caller, Presented } from "./Admission.js"
import type { Holder } from "./Holder.js"
import { makeKeyDirectory, type Records } from "./KeyDirectory.js"
import { makeKeyUses } from "./KeyUses.js"
import { makeRecheck } from "./recheck.js"

/** Decides on requests from outside by key, plan, limits and bans, and counts them. For adapters. */
export type Gate = {
  /** Decides on one request and counts it: at once where storage and counters answer at once, else in time. */
  readonly admit: (presented: Presented, nowMs: number) => MaybePromise<Admission>
  /**
   * The same for a request whose account the host knows by other means than a key. An account that isn't there is refused as
   * an unknown key is.
   */
  readonly admitAccount: (accountId: number, address: string, nowMs: number) => MaybePromise<Admission>
  /** Why a caller that was let in would not be now, or undefined where it would. Counts nothing. */
  readonly recheck: (caller: Caller, nowMs: number) => MaybePromise<AdmissionRefusal | undefined>
  /** Where an address stands, without counting anything: for answers that are free and need no key. */
  readonly addressStanding: (address: string, nowMs: number) => Pick<Admission, "limits" | "rate">
  /** Counts by account. */
  readonly limiter: Limiter
  /** The limits of an account now. */
  readonly limitsOf: (account: AccountRow) => Limits
  readonly banPolicy: BanPolicy
  /** Gives back what was borrowed and stores what is only noted. For closing. */
  readonly settle: Effect.Effect<void, StorageError>
  /**
   * Forgets all that is in memory only and stores nothing of it, as a process does that dies: leases are lost, addresses and keys
   * unknown. For test engines, which replace what is stored.
   */
  readonly forget: () => void
}

type Surroundings = Pick<Records, "read" | "edition"> & {
  readonly write: Write
  readonly usage: Context.Tag.Service<Usage>
  readonly plans: FixedPlans
  readonly banPolicy: BanPolicy
}

export const makeGate = ({ read, edition, write, usage, plans, banPolicy }: Surroundings): Gate => {
  const newMemory = () => ({
    limiter: makeLimiter({ usage, banPolicy }),
    addresses: makeAddressBook(banPolicy),
    directory: makeKeyDirectory({ read, edition, limitsOf: (account) => limitsOf(account, plans) }),
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

  const admitHolder = (holder: Holder, address: string, nowMs: number): MaybePromise<Admission> => {
    const standing = keyStanding(holder, nowMs)
    if (Either.isLeft(standing)) return refuse(standing.left, address, nowMs)
    uses.note(holder, nowMs)
    const { limits, accountId, keyId } = holder
    return count({ accountId, keyId }, holder.caller, limits, nowMs)
  }

  const count = (caller: Caller, callerKey: string, limits: Limits, nowMs: number): MaybePromise<Admission> =>
    andThen(limiter.admit(callerKey, limits, nowMs), (answer) =>
      answer._tag === "Admitted"
        ? { admitted: true, caller, limits, rate: answer.headers }
        : answer._tag === "StorageError"
          ? uncounted(answer, callerKey, limits, nowMs)
          : refused(answer, limits)
    )

  /** Without its counts the gate lets nobody in, and tells what it last knew. */
  const uncounted = (refusal: StorageError, callerKey: string, limits: Limits, nowMs: number): Admission => ({
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
      Effect.suspend(() => uses.flush(directory.holders())),
      Effect.suspend(() => limiter.flush)
    ),
    forget: () => {
      ;({ limiter, addresses, directory, uses } = newMemory())
    },
    admitAccount: (accountId, address, nowMs) =>
      andThen(
        read(() => get(accounts, accountId)),
        (found) => {
          if (Either.isLeft(found)) return unrecognised(found.left, nowMs)
          const account = found.right
          return account === undefined
            ? refuse(unknownKey, address, nowMs)
            : count({ accountId, keyId: null }, accountKey(accountId), limitsOf(account, plans), nowMs)
        }
      ),
    admit: (presented, nowMs) => {
      const text = keyOf(presented)
      if (Either.isLeft(text)) return refuse(text.left, presented.address, nowMs)
      return andThen(directory.find(sha256Words(text.right)), (found) => {
        if (found === undefined) return refuse(unknownKey, presented.address, nowMs)
        return found instanceof StorageError
          ? unrecognised(found, nowMs)
          : admitHolder(found, presented.address, nowMs)
      })
    }
  }
}

/** The same as for a malformed key: a caller can't learn which keys were issued. */
const unknownKey = withoutStack(() => new InvalidKey())

const refused = (answer: Refused, limits: Limits): Admission => ({
  admitted: false,
  refusal: refusalOf(answer),
  limits,
  rate: answer.headers
})

/** Nobody can say who this is: there are no limits to tell, least of all those of a plan the caller may not be on. */
const unrecognised = (refusal: StorageError, nowMs: number): Admission => ({
  admitted: false,
  refusal,
  ...unknownStanding(nowMs)
})
