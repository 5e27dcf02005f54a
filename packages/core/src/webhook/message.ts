/**
 * What an endpoint is sent: the same bytes and the same id at every attempt, made from nothing but
 * what does not change any more.
 */
import type { Change } from "../shop/change/Change.js"
import { formatInstant } from "../value/Instant.js"

/** A message as it is sent, but for its signature. */
export type WebhookMessage = {
  /** `webhook-id`: names what happened, at all endpoints and attempts. Letters, digits and `_`. */
  readonly id: string
  readonly type: string
  readonly sequence: number
  /** `{ type, timestamp, data }` as JSON. */
  readonly body: string
}

/** A change as everybody may see it: nothing of who made it, nor of what was before. */
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
 * Says that changes up to that one are not told any more: the receiver loads the shop anew. When
 * that was decided is part of the id: who asks for it twice at the same place has asked for two
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
