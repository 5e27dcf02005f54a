/**
 * Temporary bans of callers that ignore a 429 (SPEC.md §8): when a ban starts, and how long it
 * lasts.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import { DAY_MS } from "../../value/Time.js"
import { MAX_SKEW_MS } from "./Window.js"

/** All durations in milliseconds. `strikes: Infinity` turns bans off. */
export type BanPolicy = {
  /** The number of strikes … */
  readonly strikes: number
  /** … within this time that start a ban. */
  readonly withinMs: number
  /**
   * The time after the first refusal in which early requests are not strikes: they may have been in
   * flight.
   */
  readonly graceMs: number
  /** The length of the first ban. Each further one in a series is twice as long … */
  readonly firstBanMs: number
  /** … up to this. */
  readonly longestBanMs: number
  /** A ban that starts within this time after the end of the last one continues its series. */
  readonly seriesMs: number
}

/**
 * 10 strikes within 10 minutes ban for 2 minutes, doubling with each ban within 24 hours, for at
 * most 24 hours.
 */
export const DEFAULT_BAN_POLICY: BanPolicy = {
  strikes: 10,
  withinMs: 600_000,
  graceMs: 1_000,
  firstBanMs: 120_000,
  longestBanMs: 86_400_000,
  seriesMs: 86_400_000
}

/** 100 years, so that the end of a ban is a valid instant. */
const LONGEST_MS = 100 * 366 * DAY_MS

/** Throws a RangeError that names the first invalid number of a host's policy. */
export const checkedBanPolicy = (policy: BanPolicy): BanPolicy => {
  const { strikes, firstBanMs, longestBanMs } = policy
  if (strikes !== Infinity && !(Number.isInteger(strikes) && strikes >= 1))
    throw new RangeError("banPolicy.strikes: expected a whole number from 1, or Infinity")
  for (const name of ["withinMs", "graceMs", "seriesMs"] as const)
    if (!(policy[name] >= 0))
      throw new RangeError(`banPolicy.${name}: expected milliseconds from 0, or Infinity`)
  for (const [name, ms] of Object.entries({ firstBanMs, longestBanMs }))
    if (!(ms >= 0 && ms <= LONGEST_MS))
      throw new RangeError(`banPolicy.${name}: expected milliseconds from 0 to ${LONGEST_MS}`)
  return policy
}

export const isBanned = (usage: UsageRecord, nowMs: number): boolean => nowMs < usage.bannedUntilMs

/** Whether no refusal, strike or ban of the record still counts. */
export const isUnburdened = (usage: UsageRecord, nowMs: number, policy: BanPolicy): boolean =>
  nowMs >= usage.retryAtMs &&
  !isBanned(usage, nowMs) &&
  (usage.bans === 0 || nowMs >= usage.bannedUntilMs + policy.seriesMs) &&
  !usage.strikesMs.some((strikeMs) => strikeMs > nowMs - policy.withinMs)

/**
 * Starts a ban, twice as long as the last one of the series. It ends on a full second, up to one
 * second early, so that Unix seconds are exact.
 */
const banned = (usage: UsageRecord, nowMs: number, policy: BanPolicy): UsageRecord => {
  const bans = usage.bans > 0 && nowMs < usage.bannedUntilMs + policy.seriesMs ? usage.bans + 1 : 1
  const lengthMs = Math.min(policy.firstBanMs * 2 ** (bans - 1), policy.longestBanMs)
  return {
    ...usage,
    retryAtMs: 0,
    refusedAtMs: 0,
    strikesMs: [],
    bans,
    lastBanMs: nowMs,
    bannedUntilMs: Math.max(Math.floor((nowMs + lengthMs) / 1_000) * 1_000, nowMs)
  }
}

/**
 * Whether an early request is not a strike: it may have been in flight when the caller was refused,
 * or the caller has waited by the clock of the process that refused it.
 */
const isWithinGrace = (usage: UsageRecord, nowMs: number, policy: BanPolicy): boolean =>
  nowMs < usage.refusedAtMs + policy.graceMs || nowMs >= usage.retryAtMs - MAX_SKEW_MS

/**
 * Updates the record for a request that the limits refuse. The first refusal records until when the
 * caller is to wait. A request before that time, after the grace period, is a strike; the last
 * strike starts a ban. Within the grace period the record stays the same object. `retryAtMs` is the
 * end of the refusing window: a caller may then send the next request, whatever the rounding.
 */
export const refusedOnce = (
  usage: UsageRecord,
  retryAtMs: number,
  nowMs: number,
  policy: BanPolicy
): UsageRecord => {
  if (nowMs >= usage.retryAtMs) return { ...usage, refusedAtMs: nowMs, retryAtMs }
  const next = usage.retryAtMs === retryAtMs ? usage : { ...usage, retryAtMs }
  if (isWithinGrace(usage, nowMs, policy) || policy.strikes === Infinity) return next
  const strikesMs = [
    ...usage.strikesMs.filter((strikeMs) => strikeMs > nowMs - policy.withinMs),
    nowMs
  ]
  return strikesMs.length < policy.strikes ? { ...next, strikesMs } : banned(usage, nowMs, policy)
}

/** The record without its bans and strikes. Used requests stay used. */
export const withoutBans = (usage: UsageRecord): UsageRecord => ({
  ...usage,
  retryAtMs: 0,
  refusedAtMs: 0,
  strikesMs: [],
  bannedUntilMs: 0,
  bans: 0,
  lastBanMs: 0
})
