/**
 * Makes the limiter of one process. It decides most requests in memory, from leased blocks, and
 * accesses the storage of counts only for the next block or to refuse. The rules are in Lease.ts
 * and Ban.ts.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import { isPromise, type MaybePromise } from "../../value/maybePromise.js"
import type { StorageError } from "../../engine/port/StorageError.js"
import type { UsageRecord } from "../../engine/port/Usage.js"
import { DEFAULT_BAN_POLICY, withoutBans } from "./Ban.js"
import type { RefusedRequest } from "./Decision.js"
import { type LeaseGrant, giveBack, type Lease, lease } from "./Lease.js"
import {
  answerLocally,
  isOver,
  lastKnown,
  leftBehind,
  type LocalUse,
  newLocalUse,
  nextBlock,
  startLease,
  noteRefused,
  takeUnspent,
  unspentOf
} from "./LocalUse.js"
import type { Limits } from "../account/Plan.js"
import type { Limiter, LimiterAnswer, LimiterOptions } from "./Limiter.js"
import { runNow } from "./RunNow.js"
import { standingOf } from "./Standing.js"
import { MAX_SKEW_MS, windowStartMs } from "./Window.js"
import { MINUTE_MS } from "../../value/Time.js"

/**
 * The maximum time to repeat a ban from memory, so that lifting it in another process takes effect
 * soon.
 */
const RECHECK_MS = 1_000

/**
 * The number of callers that are checked for removal with every access to the storage, which bounds
 * their number.
 */
const SWEPT_PER_QUESTION = 2

type Outcome = Exit.Exit<readonly [LeaseGrant | RefusedRequest, UsageRecord], StorageError>

export const makeLimiter = (options: LimiterOptions): Limiter => {
  const { usage, banPolicy = DEFAULT_BAN_POLICY, runtime = Runtime.defaultRuntime } = options
  const uses = new Map<string, LocalUse>()
  /** Accesses in progress, at most one for each caller, and leases that are being returned. */
  const asking = new Map<string, Promise<LimiterAnswer>>()
  const returning = new Set<Promise<unknown>>()
  let walk = uses.entries()

  const returned = (callerKey: string, unspent: Lease): Effect.Effect<void, StorageError> =>
    usage.modify(callerKey, (current) => [undefined, current && giveBack(current, unspent)])

  /**
   * Drops a few callers whose minute is over. If the rest of a lease cannot be returned, it is
   * lost, as after a crash.
   */
  const sweep = (nowMs: number): void => {
    for (let looked = 0; looked < SWEPT_PER_QUESTION; looked++) {
      const step = walk.next()
      if (step.done === true) {
        walk = uses.entries()
        return
      }
      const [callerKey, use] = step.value
      if (!isOver(use, nowMs) || asking.has(callerKey)) continue
      uses.delete(callerKey)
      if (use.unspent === 0) continue
      const exit = runNow(returned(callerKey, takeUnspent(use)), runtime)
      if (!isPromise(exit)) continue
      returning.add(exit)
      void exit.finally(() => returning.delete(exit))
    }
  }

  /**
   * The end of the time in which a repeated request is not a strike. If bans are off, that is the
   * end of the minute, when other processes may return leases.
   */
  const strikelessUntilMs = ({ refusedAtMs, retryAtMs }: UsageRecord, nowMs: number): number => {
    if (banPolicy.strikes === Infinity) return windowStartMs(nowMs, MINUTE_MS) + MINUTE_MS
    return nowMs >= retryAtMs - MAX_SKEW_MS ? retryAtMs : refusedAtMs + banPolicy.graceMs
  }

  const settle = (
    use: LocalUse,
    limits: Limits,
    nowMs: number,
    outcome: Outcome
  ): LimiterAnswer => {
    if (Exit.isFailure(outcome)) {
      const failure = Cause.failureOption(outcome.cause)
      if (Option.isNone(failure)) throw Cause.squash(outcome.cause)
      return failure.value
    }
    const [answer, record] = outcome.value
    if (answer._tag === "Granted") return startLease(use, limits, answer)
    const unnotedUntilMs =
      answer._tag === "KeyBanned" ? nowMs + RECHECK_MS : strikelessUntilMs(record, nowMs)
    const sameUntilMs = Math.min(answer.untilMs, answer.headers.resetSeconds * 1_000)
    return noteRefused(use, limits, answer, nowMs, Math.min(unnotedUntilMs, sameUntilMs))
  }

  const ask = (
    callerKey: string,
    use: LocalUse,
    limits: Limits,
    nowMs: number
  ): MaybePromise<LimiterAnswer> => {
    const want = nextBlock(use, limits, nowMs)
    const left = leftBehind(use, nowMs)
    const unspent = takeUnspent(use)
    const outcome = runNow(
      usage.modify(callerKey, (current) => {
        const decided = lease(limits, giveBack(current, unspent), nowMs, want, banPolicy, left)
        return [decided, decided[1]]
      }),
      runtime
    )
    if (!isPromise(outcome)) return settle(use, limits, nowMs, outcome)
    const answer = outcome.then((exit) => {
      asking.delete(callerKey)
      return settle(use, limits, nowMs, exit)
    })
    asking.set(callerKey, answer)
    return answer
  }

  const admit = (callerKey: string, limits: Limits, nowMs: number): MaybePromise<LimiterAnswer> => {
    const entry = uses.get(callerKey)
    const local = entry && answerLocally(entry, limits, nowMs)
    if (local !== undefined) return local
    const underWay = asking.get(callerKey)
    if (underWay !== undefined) {
      return underWay.then((shared) =>
        shared._tag === "StorageError" ? shared : admit(callerKey, limits, nowMs)
      )
    }
    sweep(nowMs)
    const use = uses.get(callerKey) ?? newLocalUse(limits, nowMs)
    uses.set(callerKey, use)
    return ask(callerKey, use, limits, nowMs)
  }

  const returnAll = Effect.suspend(() => {
    const leases = [...uses].map(([callerKey, use]) => ({ callerKey, unspent: takeUnspent(use) }))
    uses.clear()
    walk = uses.entries()
    return Effect.forEach(
      leases.filter(({ unspent }) => unspent.count > 0),
      ({ callerKey, unspent }) => returned(callerKey, unspent),
      { discard: true }
    )
  })

  return {
    admit,
    lastKnown: (callerKey, limits, nowMs) => lastKnown(uses.get(callerKey), limits, nowMs),
    standing: (callerKey, limits, nowMs) =>
      Effect.suspend(() => {
        const use = uses.get(callerKey)
        return usage.modify(callerKey, (current) => [
          standingOf(
            limits,
            use === undefined ? current : giveBack(current, unspentOf(use)),
            nowMs
          ),
          current
        ])
      }),
    unban: (callerKey) =>
      Effect.tap(
        usage.modify(callerKey, (current) => [undefined, current && withoutBans(current)]),
        () =>
          Effect.sync(() => {
            const use = uses.get(callerKey)
            if (use !== undefined) use.refusal = undefined
          })
      ),
    flush: Effect.suspend(() => {
      const underWay = [...asking.values(), ...returning]
      return underWay.length === 0
        ? returnAll
        : Effect.zipRight(
            Effect.promise(() => Promise.allSettled(underWay)),
            returnAll
          )
    }),
    liveCallers: () => uses.size
  }
}
