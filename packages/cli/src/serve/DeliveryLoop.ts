/** Delivers webhooks while the store is served. Each attempt is a line of the log. */
import type { OpenPetStore } from "@petstore/core"
import { failureLine, type Gauge } from "@petstore/http-adapter"
import type { WebhookDelivery } from "@petstore/http-adapter/webhooks"
import type { Log } from "./log.js"

/** Starts after the server and ends while it closes. */
export type DeliveryLoop = {
  readonly begin: (store: OpenPetStore) => Promise<void>
  /** Takes no longer than a server takes to close. Safe to call twice, and without `begin`. */
  readonly end: () => Promise<void>
  readonly gauges: () => ReadonlyArray<Gauge>
}

export const makeDeliveryLoop = (log: Log, quiet: boolean): DeliveryLoop => {
  let delivery: WebhookDelivery | undefined
  let gauges: DeliveryLoop["gauges"] = () => []
  return {
    begin: async (store) => {
      const { deliverWebhooks, deliveryGauges, deliveryLine } =
        await import("@petstore/http-adapter/webhooks")
      const { nowMs } = store.engine
      const started = deliverWebhooks(store, {
        onAttempt: (attempt) => {
          if (!quiet || attempt.outcome !== "delivered") log.write(deliveryLine(nowMs(), attempt))
        },
        onError: (cause) =>
          log.write(failureLine(nowMs(), cause, { requestId: "", operation: "webhooks.deliver" }))
      })
      delivery = started
      gauges = () => deliveryGauges(started.counts())
    },
    end: async () => delivery?.close(),
    gauges: () => gauges()
  }
}
