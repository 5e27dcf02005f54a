/** The standing of a caller: both windows, the last refusal, strikes and bans. */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { isBanned } from "./Ban.js"
import { currentUsage } from "./CurrentUsage.js"
import type { Limits } from "../account/Plan.js"
import {
  headersOf,
  type RateHeaders,
  tighter,
  type WindowStanding,
  windowStandings
} from "./RateHeaders.js"
import { DAY_MS } from "../../value/Time.js"
import type { WindowName } from "./Window.js"

/** The start of the last refusals of a caller: when, by what, and until when it was to wait. */
export type LastRefusal = {
  readonly by: WindowName | "ban"
  readonly atMs: number
  readonly untilMs: number
}

/** Times in milliseconds since 1970; null if there is none. */
export type Standing = {
  readonly minute: WindowStanding
  readonly day: WindowStanding
  /**
   * Null if there was none, or the caller was admitted before its wait was over, or a ban was
   * lifted.
   */
  readonly lastRefusal: LastRefusal | null
  /** The end of the wait that the caller was given; null if its next request would be admitted. */
  readonly retryAtMs: number | null
  /** The times of the strikes that still count, oldest first. */
  readonly strikesMs: ReadonlyArray<number>
  readonly bannedUntilMs: number | null
  /** The number of bans in the current or last series, which decides the length of the next one. */
  readonly bans: number
  /** The headers of a response that is not counted. */
  readonly headers: RateHeaders
}

/**
 * In the last minute of a day both windows end at the same time. The used requests show which one
 * refused.
 */
const refusingWindow = (retryAtMs: number, day: WindowStanding, nowMs: number): WindowName =>
  retryAtMs % DAY_MS === 0 && (day.remaining === 0 || nowMs >= retryAtMs) ? "day" : "minute"

const lastRefusal = (
  current: UsageRecord,
  day: WindowStanding,
  nowMs: number
): LastRefusal | null => {
  const { lastBanMs, bannedUntilMs, refusedAtMs, retryAtMs } = current
  if (lastBanMs > refusedAtMs) return { by: "ban", atMs: lastBanMs, untilMs: bannedUntilMs }
  return retryAtMs === 0
    ? null
    : { by: refusingWindow(retryAtMs, day, nowMs), atMs: refusedAtMs, untilMs: retryAtMs }
}

/** The standing of a caller at `nowMs`. `usage` is its stored record, or undefined. */
export const standingOf = (
  limits: Limits,
  usage: UsageRecord | undefined,
  nowMs: number
): Standing => {
  const current = currentUsage(usage, nowMs)
  const [minute, day] = windowStandings(limits, current, nowMs)
  return {
    minute,
    day,
    lastRefusal: lastRefusal(current, day, nowMs),
    retryAtMs: nowMs < current.retryAtMs ? current.retryAtMs : null,
    strikesMs: current.strikesMs,
    bannedUntilMs: isBanned(current, nowMs) ? current.bannedUntilMs : null,
    bans: current.bans,
    headers: headersOf(tighter(minute, day))
  }
}
