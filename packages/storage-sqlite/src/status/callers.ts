/** Accounts that are banned, or have used up nearly all of what a minute or a day allows them. */
import { accountKey, type FixedPlans, limitsOf, type Plan, standingOf } from "@petstore/core"
import type { Database } from "better-sqlite3"
import { UsageTable } from "../UsageTable.js"
import type { BannedCaller, CallerNearLimit } from "./StoreStatus.js"

/** The part of a limit from which on a caller is near it. */
export const NEAR_LIMIT = 0.9

export type Callers = {
  readonly banned: ReadonlyArray<BannedCaller>
  readonly nearLimit: ReadonlyArray<CallerNearLimit>
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Found = {
  readonly accountId: number
  readonly name: string
  readonly plan: Plan
  readonly perMinute: number | null
  readonly perDay: number | null
}

/**
 * Those who may be either: whose ban, day or minute is not over by the stored times, or who were
 * counted by a clock that was set. The rules decide. Callers are named as `accountKey` does.
 */
const CANDIDATES = `
  SELECT accounts.id AS accountId, name, plan, per_minute AS perMinute, per_day AS perDay
    FROM usage JOIN accounts ON accounts.id = CAST(substr(caller, 9) AS INTEGER)
    WHERE caller LIKE 'account:%' AND (
      banned_until_ms > :nowMs OR day_start_ms > :nowMs - ${DAY_MS} OR minute_start_ms > :nowMs - ${MINUTE_MS}
      OR other_days IS NOT NULL OR other_minutes IS NOT NULL)
    ORDER BY accounts.id`

export const callersIn = (file: Database, plans: FixedPlans, nowMs: number): Callers => {
  const usage = new UsageTable(file)
  const banned: Array<BannedCaller> = []
  const nearLimit: Array<CallerNearLimit> = []
  for (const found of file.prepare<[{ readonly nowMs: number }], Found>(CANDIDATES).all({ nowMs })) {
    const { accountId, name } = found
    const { bannedUntilMs, minute, day } = standingOf(
      limitsOf(found, plans),
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
