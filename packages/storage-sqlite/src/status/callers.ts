/** Accounts that are banned, or have used up nearly all of what a minute or a day allows them. */
import { type FixedPlans, type Limits, limitsOf, type Plan } from "@petstore/core"
import { accountKey, standingOf } from "@petstore/core/adapter"
import type { Connection } from "../driver/Driver.js"
import { UsageTable } from "../usage/UsageTable.js"
import type { BannedCaller, CallerNearLimit } from "./StoreStatus.js"

/** The part of a limit from which on a caller is near it. */
export const NEAR_LIMIT = 0.9

export type Callers = {
  readonly banned: ReadonlyArray<BannedCaller>
  readonly nearLimit: ReadonlyArray<CallerNearLimit>
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Found = readonly [
  accountId: number,
  name: string,
  plan: Plan,
  perMinute: number | null,
  perDay: number | null,
  minuteUsed: number,
  dayUsed: number,
  /**
   * Whether the ban has not ended, or a clock was set, so that what is used is not all that counts.
   */
  isSpecial: number
]

/**
 * Those who may be either: whose ban, day or minute is not over by the stored times, or who were
 * counted by a clock that was set. Callers are named as `accountKey` does.
 */
const CANDIDATES = `
  SELECT accounts.id, name, plan, per_minute, per_day, minute_used, day_used,
      (banned_until_ms > ? OR other_days IS NOT NULL OR other_minutes IS NOT NULL) AS isSpecial
    FROM usage JOIN accounts ON accounts.id = CAST(substr(caller, 9) AS INTEGER)
    WHERE caller LIKE 'account:%'
      AND (isSpecial OR day_start_ms > ? - ${DAY_MS} OR minute_start_ms > ? - ${MINUTE_MS})
    ORDER BY accounts.id`

/** Spares the rules those who can't be either, which are nearly all. */
const mayBeEither = (
  [, , , , , minuteUsed, dayUsed, isSpecial]: Found,
  { perMinute, perDay }: Limits
): boolean =>
  isSpecial !== 0 || minuteUsed >= NEAR_LIMIT * perMinute || dayUsed >= NEAR_LIMIT * perDay

export const callersIn = (file: Connection, plans: FixedPlans, nowMs: number): Callers => {
  const usage = new UsageTable(file)
  const candidates = file.rows<Found>(CANDIDATES).all(nowMs, nowMs, nowMs)
  const banned: Array<BannedCaller> = []
  const nearLimit: Array<CallerNearLimit> = []
  for (const found of candidates) {
    const [accountId, name, plan, perMinute, perDay] = found
    const limits = limitsOf({ plan, perMinute, perDay }, plans)
    if (!mayBeEither(found, limits)) continue
    const { bannedUntilMs, minute, day } = standingOf(
      limits,
      usage.get(accountKey(accountId)),
      nowMs
    )
    if (bannedUntilMs !== null) {
      banned.push({ accountId, name, bannedUntilMs })
      continue
    }
    // The day first: it binds for longer.
    const near = [day, minute].find(({ used, limit }) => used >= NEAR_LIMIT * limit)
    if (near === undefined) continue
    const { window, used, limit, resetMs } = near
    nearLimit.push({ accountId, name, window, used, limit, resetMs })
  }
  return { banned, nearLimit }
}
