/** What a host learns about deliveries: each attempt, and an endpoint whose secret does not fit. */
import type { WebhookOutcome } from "@petstore/core/storage"

/** An attempt, for logs and metrics. */
export type DeliveryAttempt = {
  readonly webhookId: number
  readonly messageId: string
  readonly type: string
  readonly sequence: number
  readonly outcome: WebhookOutcome
  readonly status?: number
  readonly durationMs: number
  /** The time of the next attempt, in milliseconds since 1970. */
  readonly nextMs?: number
  /** Whether this attempt ended all deliveries to the endpoint. */
  readonly ended: boolean
}

/**
 * The endpoint's secret was not made from the secret that the store was opened with. Rotate it, or
 * open the store with the other secret.
 */
export class OtherWebhookSecret extends Error {
  override readonly name = "OtherWebhookSecret"
  readonly webhookId: number
  constructor(webhookId: number) {
    super(
      `webhook ${webhookId} is not sent to: its secret was made from another secret than the one ` +
        "given; rotate it, or give that one"
    )
    this.webhookId = webhookId
  }
}
