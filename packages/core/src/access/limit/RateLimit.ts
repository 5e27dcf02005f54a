/**
 * The rate-limit policy for a single request: a pure function that decides what the limiter decides
 * with leases.
 */
import type { UsageRecord } from "../../engine/port/Usage.js"
import type { BanPolicy } from "./Ban.js"
import type { Decision } from "./Decision.js"
import { lease } from "./Lease.js"
import type { Limits } from "../account/Plan.js"

export type { RateHeaders } from "./RateHeaders.js"

/**
 * Admits the request and counts it in both windows, or refuses it and counts it in neither. For
 * replays and tests.
 */
export const rateLimit = (
  limits: Limits,
  usage: UsageRecord | undefined,
  nowMs: number,
  policy?: BanPolicy
): readonly [Decision, UsageRecord] => {
  const [answer, next] = lease(limits, usage, nowMs, 1, policy)
  return [answer._tag === "Granted" ? { _tag: "Admitted", headers: answer.headers } : answer, next]
}
