/** Lets requests in: recognises the key, finds the account and its limits, and counts the request. */
import { type Context, Effect, Either } from "effect"
import { type CredentialHeaders, keyOf } from "../key/Credentials.js"
import { keyStanding } from "../key/KeyStanding.js"
import { InvalidKey } from "../key/Refusals.js"
import { sha256 } from "../key/Sha256.js"
import type { BanPolicy } from "../limit/Ban.js"
import { accountKey, addressKey } from "../limit/addressKey.js"
import { type Refused, refusalOf } from "../limit/Decision.js"
import { type Limiter, makeLimiter } from "../limit/Limiter.js"
import { type FixedPlans, type Limits, limitsOf } from "../limit/Plan.js"
import { rateHeaders } from "../limit/RateHeaders.js"
import { rangesWhere } from "../list/Selection.js"
import { andThen, type MaybePromise } from "../maybePromise.js"
import type { StorageError } from "../port/StorageError.js"
import type { Usage } from "../port/Usage.js"
import { type AccountRow, accounts, type KeyRow, keys } from "../program/collections.js"
import type { ReadRequest, RefusalOf, Refuse } from "../program/Program.js"
import { get, scan } from "../program/requests.js"
import type { Admission, AdmissionRefusal, Presented } from "./Admission.js"

export type Gate = {
  /** Decides on one request and counts it: at once where storage and counters answer at once, else in time. */
  readonly admit: (presented: Presented, nowMs: number) => MaybePromise<Admission>
  /** Where an address stands, without counting anything: for answers that are free and need no key. */
  readonly addressStanding: (
    address: string,
    nowMs: number
  ) => Effect.Effect<Pick<Admission, "limits" | "rate">, StorageError>
  readonly limiter: Limiter
  /** The limits of an account now. */
  readonly limitsOf: (account: AccountRow) => Limits
}

type Read = <A, Yields extends ReadRequest | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
) => MaybePromise<Either.Either<A, RefusalOf<Yields> | StorageError>>

type Surroundings = {
  readonly read: Read
  readonly usage: Context.Tag.Service<Usage>
  readonly plans: FixedPlans
  readonly banPolicy: BanPolicy
}

const WITH_DIGEST = rangesWhere(keys, { digest: "" })

/** Whose key this is; one program, so that key and account are of the same moment. */
function* holder(digest: string) {
  for (const range of WITH_DIGEST) {
    const [key] = yield* scan(keys, { ...range, prefix: [digest] }, { limit: 1 })
    const account = key === undefined ? undefined : yield* get(accounts, key.accountId)
    if (key !== undefined && account !== undefined) return { key, account }
  }
  return undefined
}

type Holder = { readonly key: KeyRow; readonly account: AccountRow }

export const makeGate = ({ read, usage, plans, banPolicy }: Surroundings): Gate => {
  const limiter = makeLimiter({ usage, banPolicy })

  /** Counts a request for its address, at the limits of the free plan, and refuses it. */
  const refuse = (refusal: AdmissionRefusal, address: string, nowMs: number): MaybePromise<Admission> =>
    andThen(limiter.admit(addressKey(address), plans.free, nowMs), (answer) =>
      answer._tag === "Admitted"
        ? { admitted: false, refusal, limits: plans.free, rate: answer.headers }
        : refused(answer, plans.free, nowMs)
    )

  const admitHolder = ({ key, account }: Holder, nowMs: number): MaybePromise<Admission> => {
    const limits = limitsOf(account, plans)
    return andThen(limiter.admit(accountKey(account.id), limits, nowMs), (answer) =>
      answer._tag === "Admitted"
        ? { admitted: true, caller: { accountId: account.id, keyId: key.id }, limits, rate: answer.headers }
        : refused(answer, limits, nowMs)
    )
  }

  return {
    limiter,
    addressStanding: (address, nowMs) =>
      Effect.map(limiter.standing(addressKey(address), plans.free, nowMs), ({ headers }) => ({
        limits: plans.free,
        rate: headers
      })),
    limitsOf: (account) => limitsOf(account, plans),
    admit: (presented, nowMs) => {
      const text = keyOf(presented satisfies CredentialHeaders)
      if (Either.isLeft(text)) return refuse(text.left, presented.address, nowMs)
      const digest = sha256(text.right)
      return andThen(
        read(() => holder(digest)),
        (found) => {
          if (Either.isLeft(found)) return unavailable(found.left, plans.free, nowMs)
          if (found.right === undefined) return refuse(new InvalidKey(), presented.address, nowMs)
          const standing = keyStanding(found.right.key, nowMs)
          return Either.isLeft(standing)
            ? refuse(standing.left, presented.address, nowMs)
            : admitHolder(found.right, nowMs)
        }
      )
    }
  }
}

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
