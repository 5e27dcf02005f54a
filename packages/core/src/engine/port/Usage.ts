/** Where counters of use are kept: one small record for each account that has called. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.js"

/**
 * How much of its limits a caller has used, and where it stands with bans. All times in
 * milliseconds since 1970.
 */
export type UsageRecord = {
  /** The minute that was counted in last. */
  readonly minuteStartMs: number
  /** Requests of that minute that were admitted or are leased to a process. */
  readonly minuteUsed: number
  readonly dayStartMs: number
  readonly dayUsed: number
  /**
   * What was counted in other minutes and days, which a clock that is set may come to once more, in
   * the words of Ledger.ts. Below 1,500 characters, mostly none; a storage keeps them as they are.
   */
  readonly otherMinutes?: string
  readonly otherDays?: string
  /**
   * Until when the caller was last told to wait: the end of the refusing window; 0 when it was
   * admitted before that.
   */
  readonly retryAtMs: number
  /** When that was first told; within the grace after it, early requests are not strikes. */
  readonly refusedAtMs: number
  /** When recent strikes were made, oldest first; never more than one ban needs. */
  readonly strikesMs: ReadonlyArray<number>
  /** The end of the last ban; 0 for none. */
  readonly bannedUntilMs: number
  /** How many bans followed each other closely enough to double, the last included. */
  readonly bans: number
  /** When the last ban began. */
  readonly lastBanMs: number
}

/**
 * `modify` reads the record (undefined where there is none yet), asks the pure `decide` what it
 * shall become, and stores that, as one atomic step over all processes that share the storage.
 * `decide` may run more than once. A decision that returns the record it was given stores nothing,
 * and need not wait for others' writes; one that returns undefined leaves no record.
 */
export class Usage extends Context.Tag("@petstore/core/Usage")<
  Usage,
  {
    readonly modify: <A>(
      key: string,
      decide: (
        current: UsageRecord | undefined
      ) => readonly [answer: A, next: UsageRecord | undefined]
    ) => Effect.Effect<A, StorageError>
  }
>() {}
