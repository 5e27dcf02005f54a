/**
 * What an attempt to deliver the message at hand leads to: on to the next, again later, or the end
 * of sending.
 */
import type { WebhookOutcome, WebhookState } from "./rows.js"
import { retryDelayMs } from "./schedule.js"

/** How an attempt went. */
export type AttemptResult =
  | {
      readonly status: number
      /** What `Retry-After` asked for, where there was one. */
      readonly retryAfterMs?: number
      readonly detail: string
    }
  | { readonly problem: "timeout" | "unreachable" | "forbidden"; readonly detail: string }

export type AfterAttempt = {
  readonly outcome: WebhookOutcome
  readonly state: WebhookState
  readonly failures: number
  readonly nextMs: number | null
}

const GONE = 410
/** Statuses whose `Retry-After` is heeded: of others it says something else. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503])

/** What an attempt came to, by its answer or by why there was none. */
export const outcomeOf = (result: AttemptResult): WebhookOutcome => {
  if ("problem" in result) return result.problem
  if (result.status >= 200 && result.status < 300) return "delivered"
  return result.status === GONE ? "gone" : "refused"
}

/** `failures` counts those before this attempt. `random` is from 0 up to 1. */
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
