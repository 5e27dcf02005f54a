/**
 * Whether an admitted caller would be admitted now, for responses that outlive their request, such
 * as streams. Counts nothing.
 */
import * as Cause from "effect/Cause"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import { keyStanding } from "../key/KeyStanding.js"
import { InvalidKey } from "../key/errors.js"
import { accountKey } from "../limit/accountKey.js"
import { refusalOf, refusedAt } from "../limit/Decision.js"
import type { Limiter } from "../limit/Limiter.js"
import type { Limits } from "../account/Plan.js"
import type { KeyBanned, RateLimited } from "../limit/errors.js"
import { runNow } from "../limit/RunNow.js"
import type { Standing } from "../limit/Standing.js"
import { andThen, type MaybePromise } from "../../value/maybePromise.js"
import type { Read } from "../../engine/port/Runner.js"
import type { StorageError } from "../../engine/port/StorageError.js"
import { type AccountRow, accounts } from "../account/rows.js"
import { keys } from "../key/rows.js"
import { get } from "../../engine/program/requests.js"
import { withoutStack } from "../../value/withoutStack.js"
import type { AdmissionRefusal, Caller } from "./Admission.js"

type Recheck = (caller: Caller, nowMs: number) => MaybePromise<AdmissionRefusal | undefined>

function* recordsOf({ accountId, keyId }: Caller) {
  const account = yield* get(accounts, accountId)
  const key = keyId === null ? null : yield* get(keys, keyId)
  return { account, key }
}

const gone = withoutStack(() => new InvalidKey())

const banOf = (
  { bannedUntilMs, headers }: Standing,
  nowMs: number
): RateLimited | KeyBanned | undefined =>
  bannedUntilMs === null
    ? undefined
    : refusalOf(refusedAt({ _tag: "KeyBanned", untilMs: bannedUntilMs, headers }, nowMs))

export const makeRecheck =
  (read: Read, limiterOf: () => Limiter, limitsOf: (account: AccountRow) => Limits): Recheck =>
  (caller, nowMs) => {
    const ban = (
      account: AccountRow
    ): MaybePromise<RateLimited | KeyBanned | StorageError | undefined> =>
      andThen(
        runNow(
          limiterOf().standing(accountKey(account.id), limitsOf(account), nowMs),
          Runtime.defaultRuntime
        ),
        (exit) => {
          if (Exit.isSuccess(exit)) return banOf(exit.value, nowMs)
          const failure = Cause.failureOption(exit.cause)
          if (Option.isNone(failure)) throw Cause.squash(exit.cause)
          return failure.value
        }
      )
    return andThen(
      read(() => recordsOf(caller)),
      (lookup): MaybePromise<AdmissionRefusal | undefined> => {
        if (Either.isLeft(lookup)) return lookup.left
        const { account, key } = lookup.right
        if (account === undefined || key === undefined) return gone
        const standing = key === null ? undefined : keyStanding(key, nowMs)
        return standing !== undefined && Either.isLeft(standing) ? standing.left : ban(account)
      }
    )
  }
