/** What a host says of how webhooks are delivered, and what it has in hand while they are. */
import type { Engine, WebhookOutcome } from "@petstore/core"
import type { DeliveryAttempt } from "./endpointDelivery.js"
import type { WebhookSender } from "./WebhookSender.js"

/** A store as {@link deliverWebhooks} needs it: opened with `webhooks: { secret }`. */
export type DeliveringStore = { readonly engine: Engine }

/** How webhooks are delivered. */
export type DeliverOptions = {
  /** Sends a message; over HTTP unless given. */
  readonly sender?: WebhookSender
  /** So many endpoints are sent to at once, and others after them in turn; 32 unless given. */
  readonly concurrency?: number
  /** For how long a receiver may take to answer; 15 s unless given. */
  readonly timeoutMs?: number
  /** For how long `close` waits for receivers that have not answered yet; 5 s unless given. */
  readonly closeTimeoutMs?: number
  /** Told of every attempt. */
  readonly onAttempt?: (attempt: DeliveryAttempt) => void
  /** Told of what is wrong with the store or the secret; deliveries go on when it is over. */
  readonly onError?: (cause: unknown) => void
  /** From 0 up to 1, for the jitter of retries; from the store's random bytes unless given. */
  readonly random?: () => number
}

/** Webhooks being delivered. */
export type WebhookDelivery = {
  /** Attempts since it began, by outcome. */
  readonly counts: () => ReadonlyMap<WebhookOutcome, number>
  /**
   * Begins nothing any more, waits for the attempts that are under way, within the bound, and lets other servers have the
   * endpoints. Safe to call twice. To be called before the store is closed, which ends deliveries without all that.
   */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}
