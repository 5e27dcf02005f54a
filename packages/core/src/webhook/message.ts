/**
 * The message that an endpoint gets: the same bytes and the same id in every attempt, made only
 * from data that never changes.
 */
import type { Change } from "../shop/change/Change.js"
import { formatInstant } from "../value/Instant.js"

/** A message without its signature. */
export type WebhookMessage = {
  /** The `webhook-id`, the same for all endpoints and attempts. Letters, digits and `_`. */
  readonly id: string
  readonly type: string
  readonly sequence: number
  /** `{ type, timestamp, data }` as JSON. */
  readonly body: string
}

/** The public part of a change: without its caller, and without the record before. */
export const changeMessage = (epoch: string, change: Change): WebhookMessage => {
  const { type, at, sequence, recordId, revision, record } = change
  return {
    id: `msg_${epoch}_${sequence}`,
    type,
    sequence,
    body: JSON.stringify({ type, timestamp: at, data: { sequence, recordId, revision, record } })
  }
}

/**
 * A resync: changes up to `sequence` are no longer available, so the receiver loads the shop anew.
 * The id includes the time of the decision, because two resyncs at the same position are two
 * messages.
 */
export const resyncMessage = (
  epoch: string,
  sequence: number,
  decidedMs: number
): WebhookMessage => ({
  id: `msg_${epoch}_resync_${sequence}_${decidedMs}`,
  type: "resync",
  sequence,
  body: JSON.stringify({ type: "resync", timestamp: formatInstant(decidedMs), data: { sequence } })
})
