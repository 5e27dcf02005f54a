/** The times of retries: the schedule of Standard Webhooks, over three days, with some jitter. */
import { MINUTE_MS } from "../value/Time.js"

const HOUR_MS = 60 * MINUTE_MS

/**
 * The waits after the first failed attempt, after the second, and so on. After the last one there
 * is no attempt.
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

/** The number of attempts of a message before its endpoint counts as failing. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1

/** The longest wait that a receiver may ask for. */
export const LONGEST_WAIT_MS = 24 * HOUR_MS

const JITTER = 0.2

/**
 * The wait after this number of failed attempts, from 1; undefined if there is no further attempt.
 * Jitter of a tenth keeps messages that failed together from being sent together again. Never less
 * than the receiver asked for (`Retry-After`), up to a day. `random` is from 0 up to 1.
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
