/**
 * Where a caller stands, for people who ask why: both windows, the last refusal, strikes and bans.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { isBanned } from "./Ban.js"
import { currentUsage } from "./CurrentUsage.js"
import type { Limits } from "../account/Plan.js"
import { headersOf, type RateHeaders, tighter, type WindowStanding, windowStandings } from "./RateHeaders.js"
import { DAY_MS } from "../../value/Time.js"
import type { WindowName } from "./Window.js"

/**
 * The last time a caller began to be refused: when, what refused it, and until when it was told to
 * wait.
 */
export type LastRefusal = {
  readonly by: WindowName | "ban"
  readonly atMs: number
  readonly untilMs: number
}

/** Times in milliseconds since 1970; null where there is nothing to tell. */
export type Standing = {
  readonly minute: WindowStanding
  readonly day: WindowStanding
  /**
   * Null where none is remembered: there was none, or the caller was admitted before its wait was
   * over, or pardoned.
   */
  readonly lastRefusal: LastRefusal | null
  /**
   * Until when the caller is told to wait; null when its next request would be admitted, as far as
   * it is told.
   */
  readonly retryAtMs: number | null
  /** When the strikes were made that may still lead to a ban, oldest first. */
  readonly strikesMs: ReadonlyArray<number>
  readonly bannedUntilMs: number | null
  /** Bans of the present or last series, which decides how long the next one lasts. */
  readonly bans: number
  /** What the headers of an answer that is not counted would say. */
  readonly headers: RateHeaders
}

/**
 * At the last minute of a day both windows end together; what is used tells which it was, as long
 * as the wait lasts.
 */
const refusingWindow = (retryAtMs: number, day: WindowStanding, nowMs: number): WindowName =>
  retryAtMs % DAY_MS === 0 && (day.remaining === 0 || nowMs >= retryAtMs) ? "day" : "minute"

const lastRefusal = (current: UsageRecord, day: WindowStanding, nowMs: number): LastRefusal | null => {
  const { lastBanMs, bannedUntilMs, refusedAtMs, retryAtMs } = current
  if (lastBanMs > refusedAtMs) return { by: "ban", atMs: lastBanMs, untilMs: bannedUntilMs }
  return retryAtMs === 0
    ? null
    : { by: refusingWindow(retryAtMs, day, nowMs), atMs: refusedAtMs, untilMs: retryAtMs }
}

/** Where a caller stands at `nowMs`; `usage` is what is stored of it, undefined for nothing. */
export const standingOf = (limits: Limits, usage: UsageRecord | undefined, nowMs: number): Standing => {
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
