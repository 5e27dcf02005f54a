/** The state of a caller's limits (SPEC.md §8; draft-ietf-httpapi-ratelimit-headers-10). */
import { type Admission, unknownStanding } from "@petstore/core/adapter"

/** Alternating names and values. Without a standing nothing is promised. */
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
    `"minute";q=${limits.perMinute};w=60, "day";q=${limits.perDay};w=86400`,
    "RateLimit",
    `"${window}";r=${remaining};t=${seconds}`
  ]
}
