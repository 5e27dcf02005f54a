/** Finds accounts that are banned, or near a limit. */
import { type FixedPlans, type Limits, limitsOf, type Plan } from "@petstore/core"
import { accountKey, standingOf } from "@petstore/core/adapter"
import type { Connection } from "../driver/Driver.js"
import { UsageTable } from "../usage/UsageTable.js"
import type { BannedCaller, CallerNearLimit } from "./StoreStatus.js"

/** A caller that has used this share of a limit is near it. */
export const NEAR_LIMIT = 0.9

export type Callers = {
  readonly banned: ReadonlyArray<BannedCaller>
  readonly nearLimit: ReadonlyArray<CallerNearLimit>
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Candidate = readonly [
  accountId: number,
  name: string,
  plan: Plan,
  perMinute: number | null,
  perDay: number | null,
  minuteUsed: number,
  dayUsed: number,
  /**
   * Whether the ban may not be over, or a clock was set, so that the two counts are not enough.
   */
  isSpecial: number
]

/**
 * Accounts that may be either: their ban, day or minute is not over by the stored times, or they
 * were counted by a clock that was set. `accountKey` makes the names of callers.
 */
const CANDIDATES = `
  SELECT accounts.id, name, plan, per_minute, per_day, minute_used, day_used,
      (banned_until_ms > ? OR other_days IS NOT NULL OR other_minutes IS NOT NULL) AS isSpecial
    FROM usage JOIN accounts ON accounts.id = CAST(substr(caller, 9) AS INTEGER)
    WHERE caller LIKE 'account:%'
      AND (isSpecial OR day_start_ms > ? - ${DAY_MS} OR minute_start_ms > ? - ${MINUTE_MS})
    ORDER BY accounts.id`

/** Filters out most accounts before the rules are applied. */
const mayNeedAttention = (
  [, , , , , minuteUsed, dayUsed, isSpecial]: Candidate,
  { perMinute, perDay }: Limits
): boolean =>
  isSpecial !== 0 || minuteUsed >= NEAR_LIMIT * perMinute || dayUsed >= NEAR_LIMIT * perDay

export const callersIn = (file: Connection, plans: FixedPlans, nowMs: number): Callers => {
  const usage = new UsageTable(file)
  const candidates = file.rows<Candidate>(CANDIDATES).all(nowMs, nowMs, nowMs)
  const banned: Array<BannedCaller> = []
  const nearLimit: Array<CallerNearLimit> = []
  for (const candidate of candidates) {
    const [accountId, name, plan, perMinute, perDay] = candidate
    const limits = limitsOf({ plan, perMinute, perDay }, plans)
    if (!mayNeedAttention(candidate, limits)) continue
    const { bannedUntilMs, minute, day } = standingOf(
      limits,
      usage.get(accountKey(accountId)),
      nowMs
    )
    if (bannedUntilMs !== null) {
      banned.push({ accountId, name, bannedUntilMs })
      continue
    }
    // The day first, since it lasts longer.
    const near = [day, minute].find(({ used, limit }) => used >= NEAR_LIMIT * limit)
    if (near === undefined) continue
    const { window, used, limit, resetMs } = near
    nearLimit.push({ accountId, name, window, used, limit, resetMs })
  }
  return { banned, nearLimit }
}
