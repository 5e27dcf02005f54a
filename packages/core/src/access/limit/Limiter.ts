/** Decides on requests by the limits of their callers, and counts them. */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Runtime from "effect/Runtime"
import type { StorageError } from "../../engine/port/StorageError.js"
import type { Usage } from "../../engine/port/Usage.js"
import type { MaybePromise } from "../../value/maybePromise.js"
import type { Limits } from "../account/Plan.js"
import type { BanPolicy } from "./Ban.js"
import type { Decision } from "./Decision.js"
import type { RateHeaders } from "./RateHeaders.js"
import type { Standing } from "./Standing.js"

/**
 * A decision, or the error of the storage of counts; the request is then neither admitted nor
 * refused.
 */
export type LimiterAnswer = Decision | StorageError

export type Limiter = {
  /**
   * Decides on one request, and counts it if it is admitted. Returns at once if it can, else a
   * promise. Concurrent requests of one caller share one access to the storage. Rejects only for a
   * defect.
   */
  readonly admit: (callerKey: string, limits: Limits, nowMs: number) => MaybePromise<LimiterAnswer>
  /** The last known standing of the caller, for responses while the storage fails. */
  readonly lastKnown: (callerKey: string, limits: Limits, nowMs: number) => RateHeaders
  /**
   * The standing of the caller: exact for this process. Unspent leases of other processes show as
   * used.
   */
  readonly standing: (
    callerKey: string,
    limits: Limits,
    nowMs: number
  ) => Effect.Effect<Standing, StorageError>
  /**
   * Ends a ban and removes strikes: here at once, in other processes within a second. Counts stay.
   */
  readonly unban: (callerKey: string) => Effect.Effect<void, StorageError>
  /**
   * Returns all unspent requests. For closing: requests admitted later lease again, and the rest of
   * those leases is lost.
   */
  readonly flush: Effect.Effect<void, StorageError>
  /** The number of callers in memory. Callers whose minute is over are dropped as others arrive. */
  readonly liveCallers: () => number
}

export type LimiterOptions = {
  readonly usage: Context.Tag.Service<Usage>
  readonly banPolicy?: BanPolicy
  /** The runtime for the effects of `admit`; the default runtime if none is given. */
  readonly runtime?: Runtime.Runtime<never>
}
