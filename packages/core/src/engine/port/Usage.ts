/** The port for the counts of callers: one small record for each account that has called. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.js"

/** How much of its limits a caller has used, and its bans. All times in milliseconds since 1970. */
export type UsageRecord = {
  /** The last minute that was counted in. */
  readonly minuteStartMs: number
  /** Requests of that minute that were admitted or are leased to a process. */
  readonly minuteUsed: number
  readonly dayStartMs: number
  readonly dayUsed: number
  /**
   * The counts of other minutes and days, which matter if a clock is set, in the format of
   * Ledger.ts. Less than 1,500 characters, mostly empty. Storages store them unchanged.
   */
  readonly otherMinutes?: string
  readonly otherDays?: string
  /**
   * The time until which the caller was last asked to wait: the end of the refusing window; 0 if it
   * was admitted after that.
   */
  readonly retryAtMs: number
  /**
   * The time of the first refusal. Early requests within the grace period after it are not strikes.
   */
  readonly refusedAtMs: number
  /** The times of recent strikes, oldest first; never more than one ban needs. */
  readonly strikesMs: ReadonlyArray<number>
  /** The end of the last ban; 0 for none. */
  readonly bannedUntilMs: number
  /** The number of bans in the current series, the last one included. */
  readonly bans: number
  /** When the last ban started. */
  readonly lastBanMs: number
}

/**
 * `modify` reads the record (undefined if there is none), calls the pure `decide` with it, and
 * stores the result, as one atomic step across all processes that share the storage. `decide` may
 * run more than once. If it returns the record that it was given, nothing is stored, and `modify`
 * need not wait for other writes. If it returns undefined, the record is deleted.
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
