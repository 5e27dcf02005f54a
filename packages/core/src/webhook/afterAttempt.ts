/**
 * What follows an attempt to deliver the current message: the next message, another attempt, or the
 * end of delivery.
 */
import type { WebhookOutcome, WebhookState } from "./rows.js"
import { retryDelayMs } from "./schedule.js"

/** The outcome of an attempt. */
export type AttemptResult =
  | {
      readonly status: number
      /** The wait of `Retry-After`, if the response has one. */
      readonly retryAfterMs?: number
      readonly detail: string
    }
  | { readonly problem: "timeout" | "unreachable" | "forbidden"; readonly detail: string }

type AfterAttempt = {
  readonly outcome: WebhookOutcome
  readonly state: WebhookState
  readonly failures: number
  readonly nextMs: number | null
}

const GONE = 410
/** The statuses whose `Retry-After` is a wait before a retry. For others it has another meaning. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503])

/** The outcome by the status of the response, or by the reason why there is none. */
export const outcomeOf = (result: AttemptResult): WebhookOutcome => {
  if ("problem" in result) return result.problem
  if (result.status >= 200 && result.status < 300) return "delivered"
  return result.status === GONE ? "gone" : "refused"
}

/** `failures` is the number of failed attempts before this one. `random` is from 0 up to 1. */
export const afterAttempt = (
  failures: number,
  result: AttemptResult,
  nowMs: number,
  random: number
): AfterAttempt => {
  const outcome = outcomeOf(result)
  if (outcome === "delivered") return { outcome, state: "enabled", failures: 0, nextMs: null }
  if (outcome === "gone") return { outcome, state: "gone", failures: failures + 1, nextMs: null }
  const askedMs =
    "status" in result && ASKS_TO_WAIT.has(result.status) ? result.retryAfterMs : undefined
  const delayMs = retryDelayMs(failures + 1, askedMs, random)
  return delayMs === undefined
    ? { outcome, state: "failing", failures: failures + 1, nextMs: null }
    : { outcome, state: "enabled", failures: failures + 1, nextMs: nowMs + delayMs }
}
