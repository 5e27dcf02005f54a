/** Lets requests in: recognises the key, finds the account and its limits, and counts the request. */
import { type Context, Effect, Either } from "effect"
import { keyOf } from "../key/Credentials.js"
import { keyStanding } from "../key/KeyStanding.js"
import { InvalidKey } from "../key/Refusals.js"
import { sha256Words } from "../key/Sha256.js"
import { makeAddressBook } from "../limit/AddressBook.js"
import type { BanPolicy } from "../limit/Ban.js"
import { type Refused, refusalOf } from "../limit/Decision.js"
import { type Limiter, makeLimiter } from "../limit/Limiter.js"
import { type FixedPlans, type Limits, limitsOf } from "../limit/Plan.js"
import { rateHeaders } from "../limit/RateHeaders.js"
import { andThen, type MaybePromise } from "../maybePromise.js"
import { StorageError } from "../port/StorageError.js"
import type { Usage } from "../port/Usage.js"
import type { AccountRow } from "../program/collections.js"
import { withoutStack } from "../withoutStack.js"
import type { Admission, AdmissionRefusal, Presented } from "./Admission.js"
import type { Holder } from "./Holder.js"
import { makeKeyDirectory, type Records } from "./KeyDirectory.js"
import { makeKeyUses, type Write } from "./KeyUses.js"

export type Gate = {
  /** Decides on one request and counts it: at once where storage and counters answer at once, else in time. */
  readonly admit: (presented: Presented, nowMs: number) => MaybePromise<Admission>
  /** Where an address stands, without counting anything: for answers that are free and need no key. */
  readonly addressStanding: (
    address: string,
    nowMs: number
  ) => Effect.Effect<Pick<Admission, "limits" | "rate">>
  /** Counts by account. */
  readonly limiter: Limiter
  /** The limits of an account now. */
  readonly limitsOf: (account: AccountRow) => Limits
  readonly banPolicy: BanPolicy
  /** Gives back what was borrowed and stores what is only noted. For closing. */
  readonly settle: Effect.Effect<void, StorageError>
}

type Surroundings = Pick<Records, "read" | "edition"> & {
  readonly write: Write
  readonly usage: Context.Tag.Service<Usage>
  readonly plans: FixedPlans
  readonly banPolicy: BanPolicy
}

export const makeGate = ({ read, edition, write, usage, plans, banPolicy }: Surroundings): Gate => {
  const limiter = makeLimiter({ usage, banPolicy })
  const addresses = makeAddressBook(banPolicy)
  const directory = makeKeyDirectory({ read, edition, limitsOf: (account) => limitsOf(account, plans) })
  const uses = makeKeyUses(write)

  /** Counts a request for its address, at the limits of the free plan, and refuses it. */
  const refuse = (refusal: AdmissionRefusal, address: string, nowMs: number): Admission => {
    const decision = addresses.admit(address, plans.free, nowMs)
    return decision._tag === "Admitted"
      ? { admitted: false, refusal, limits: plans.free, rate: decision.headers }
      : refused(decision, plans.free, nowMs)
  }

  const admitHolder = (holder: Holder, address: string, nowMs: number): MaybePromise<Admission> => {
    const standing = keyStanding(holder, nowMs)
    if (Either.isLeft(standing)) return refuse(standing.left, address, nowMs)
    uses.note(holder, nowMs)
    const { limits, accountId, keyId } = holder
    return andThen(limiter.admit(holder.caller, limits, nowMs), (answer) =>
      answer._tag === "Admitted"
        ? { admitted: true, caller: { accountId, keyId }, limits, rate: answer.headers }
        : refused(answer, limits, nowMs)
    )
  }

  return {
    limiter,
    banPolicy,
    addressStanding: (address, nowMs) =>
      Effect.sync(() => ({ limits: plans.free, rate: addresses.headers(address, plans.free, nowMs) })),
    limitsOf: (account) => limitsOf(account, plans),
    settle: Effect.zipRight(
      Effect.suspend(() => uses.flush(directory.holders())),
      limiter.flush
    ),
    admit: (presented, nowMs) => {
      const text = keyOf(presented)
      if (Either.isLeft(text)) return refuse(text.left, presented.address, nowMs)
      return andThen(directory.find(sha256Words(text.right)), (found) => {
        if (found === undefined) return refuse(unknownKey, presented.address, nowMs)
        return found instanceof StorageError
          ? unavailable(found, plans.free, nowMs)
          : admitHolder(found, presented.address, nowMs)
      })
    }
  }
}

/** The same as for a malformed key: a caller can't learn which keys were issued. */
const unknownKey = withoutStack(() => new InvalidKey())

const refused = (answer: Refused | StorageError, limits: Limits, nowMs: number): Admission =>
  answer._tag === "StorageError"
    ? unavailable(answer, limits, nowMs)
    : { admitted: false, refusal: refusalOf(answer), limits, rate: answer.headers }

/** Without its storage the gate lets nobody in, and can't say what is used. */
const unavailable = (refusal: StorageError, limits: Limits, nowMs: number): Admission => ({
  admitted: false,
  refusal,
  limits,
  rate: rateHeaders(limits, undefined, nowMs)
})
