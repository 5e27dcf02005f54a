/** Where a caller stands, for people who ask why: both windows, the last refusal, strikes and bans. */
import type { UsageRecord } from "../port/Usage.js"
import { isBanned } from "./Ban.js"
import { currentUsage } from "./CurrentUsage.js"
import type { Limits } from "./Plan.js"
import { headersOf, type RateHeaders, tighter, type WindowStanding, windowStandings } from "./RateHeaders.js"

/** Times in milliseconds since 1970; null where there is nothing to tell. */
export type Standing = {
  readonly minute: WindowStanding
  readonly day: WindowStanding
  /** When the caller was first told to wait, and until when, unless it was admitted since or the wait is over. */
  readonly refusedAtMs: number | null
  readonly retryAtMs: number | null
  /** When the strikes were made that may still lead to a ban, oldest first. */
  readonly strikesMs: ReadonlyArray<number>
  readonly bannedUntilMs: number | null
  /** Bans of the present or last series, which decides how long the next one lasts. */
  readonly bans: number
  /** What the headers of an answer that is not counted would say. */
  readonly headers: RateHeaders
}

export const standingOf = (limits: Limits, usage: UsageRecord | undefined, nowMs: number): Standing => {
  const current = currentUsage(usage, nowMs)
  const [minute, day] = windowStandings(limits, current)
  const waiting = nowMs < current.retryAtMs
  return {
    minute,
    day,
    refusedAtMs: waiting ? current.refusedAtMs : null,
    retryAtMs: waiting ? current.retryAtMs : null,
    strikesMs: current.strikesMs,
    bannedUntilMs: isBanned(current, nowMs) ? current.bannedUntilMs : null,
    bans: current.bans,
    headers: headersOf(tighter(minute, day))
  }
}
