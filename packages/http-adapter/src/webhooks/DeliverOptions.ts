/** How a host has webhooks delivered. */
import type { Engine } from "@petstore/core/adapter"
import type { WebhookOutcome } from "@petstore/core/storage"
import type { DeliveryAttempt } from "./DeliveryAttempt.js"
import type { WebhookSender } from "./WebhookSender.js"

/** A store that {@link deliverWebhooks} can deliver from: opened with `webhooks: { secret }`. */
export type DeliveringStore = { readonly engine: Engine }

/** How webhooks are delivered. */
export type DeliverOptions = {
  /** Sends a message; over HTTP unless given. */
  readonly sender?: WebhookSender
  /** The most endpoints that are sent to at once; 32 unless given. */
  readonly concurrency?: number
  /** How long a receiver may take to answer; 15 s unless given. */
  readonly timeoutMs?: number
  /** How long `close` waits for receivers that have not answered yet; 5 s unless given. */
  readonly closeTimeoutMs?: number
  /** Called after every attempt. */
  readonly onAttempt?: (attempt: DeliveryAttempt) => void
  /** Called with failures of the store or the secret. Deliveries go on once they are mended. */
  readonly onError?: (cause: unknown) => void
  /** From 0 up to 1, for the jitter of retries; from the store's random bytes unless given. */
  readonly random?: () => number
}

/** Webhooks being delivered. */
export type WebhookDelivery = {
  /** The number of attempts since it began, by outcome. */
  readonly counts: () => ReadonlyMap<WebhookOutcome, number>
  /**
   * Begins no message any more, waits for running attempts within `closeTimeoutMs`, and releases
   * the endpoints to other processes. Safe to call twice. Call it before the store is closed:
   * closing the store ends deliveries without releasing anything.
   */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}
