/** Delivery attempts as log lines and metrics. */
import type { WebhookOutcome } from "@petstore/core/storage"
import type { Gauge } from "../observe/Metrics.js"
import { jsonLine } from "../observe/requestLine.js"
import type { DeliveryAttempt } from "./DeliveryAttempt.js"

/** An attempt as one line of JSON. Leaves out the URL, which may be a secret of the receiver. */
export const deliveryLine = (timeMs: number, attempt: DeliveryAttempt): string =>
  jsonLine({
    time: new Date(timeMs).toISOString(),
    level: attempt.outcome === "delivered" ? "info" : "warn",
    event: "webhook",
    webhookId: attempt.webhookId,
    messageId: attempt.messageId,
    type: attempt.type,
    outcome: attempt.outcome,
    status: attempt.status,
    durationMs: attempt.durationMs,
    nextAttempt: attempt.nextMs === undefined ? undefined : new Date(attempt.nextMs).toISOString(),
    ended: attempt.ended ? true : undefined
  })

/** Attempts by outcome, for the `gauges` option of `serve`. */
export const deliveryGauges = (counts: ReadonlyMap<WebhookOutcome, number>): ReadonlyArray<Gauge> =>
  [...counts].map(([outcome, value]) => ({
    name: "petstore_webhook_attempts_total",
    type: "counter",
    help: "Attempts to deliver a message to a webhook, by outcome.",
    value,
    labels: { outcome }
  }))
