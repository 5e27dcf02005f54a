/**
 * When an attempt that failed is made again: the schedule of Standard Webhooks, over three days,
 * with some jitter.
 */
import { MINUTE_MS } from "../value/Time.js"

const HOUR_MS = 60 * MINUTE_MS

/**
 * What is waited after the first attempt that failed, after the second, and so on; after the last
 * of these there is none.
 */
const DELAYS_MS: ReadonlyArray<number> = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS
]

/** So many attempts a message gets before its endpoint is given up. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1

/** The longest that a receiver may ask us to wait. */
export const LONGEST_WAIT_MS = 24 * HOUR_MS

const JITTER = 0.2

/**
 * How long to wait after so many attempts that failed, from 1; undefined when there have been
 * enough. A tenth more or less, so that what failed together does not come back together, but never
 * sooner than the receiver asked (`Retry-After`), up to a day. `random` is from 0 up to 1.
 */
export const retryDelayMs = (
  failures: number,
  askedMs: number | undefined,
  random: number
): number | undefined => {
  const plannedMs = DELAYS_MS[failures - 1]
  if (plannedMs === undefined) return undefined
  const spreadMs = Math.round(plannedMs * (1 - JITTER / 2 + JITTER * random))
  return Math.max(spreadMs, Math.min(askedMs ?? 0, LONGEST_WAIT_MS))
}
