/** The state of a caller's limits, as every API response carries it (SPEC.md §8; draft-ietf-httpapi-ratelimit-headers-10). */
import { type Admission, type Limits, unknownStanding } from "@petstore/core"

const policyOf = ({ perMinute, perDay }: Limits): string =>
  `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`

// Most requests of a while have the same limits, so the last text is nearly always the next one too.
let lastMinute = 0
let lastDay = 0
let lastPolicy = ""

const cachedPolicyOf = (limits: Limits): string => {
  if (limits.perMinute !== lastMinute || limits.perDay !== lastDay) {
    lastPolicy = policyOf(limits)
    lastMinute = limits.perMinute
    lastDay = limits.perDay
  }
  return lastPolicy
}

/** Names and values in turns. Where the gate has said nothing, nothing is promised. */
export const rateHeaders = (
  standing: Pick<Admission, "limits" | "rate"> | undefined,
  nowMs: number
): Array<string> => {
  const { limits, rate } = standing ?? unknownStanding(nowMs)
  const { limit, remaining, resetSeconds, window } = rate
  const seconds = Math.max(0, resetSeconds - Math.floor(nowMs / 1_000))
  return [
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    String(remaining),
    "X-RateLimit-Reset",
    String(resetSeconds),
    "RateLimit-Policy",
    cachedPolicyOf(limits),
    "RateLimit",
    `"${window}";r=${remaining};t=${seconds}`
  ]
}
