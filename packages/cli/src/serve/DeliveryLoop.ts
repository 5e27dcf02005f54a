/** Webhooks are delivered while the store is served: each attempt is a line of the log, and they stop with the server. */
import type { OpenPetStore } from "@petstore/core"
import { failureLine, type Gauge } from "@petstore/http-adapter"
import type { WebhookDelivery } from "@petstore/http-adapter/webhooks"
import type { Log } from "./log.js"

/** Deliveries that begin later than the server, and end while it ends. */
export type DeliveryLoop = {
  readonly begin: (store: OpenPetStore) => Promise<void>
  /** Takes no longer than a server takes to close. Safe to call twice, and without having begun. */
  readonly end: () => Promise<void>
  readonly gauges: () => ReadonlyArray<Gauge>
}

export const makeDeliveryLoop = (log: Log, quiet: boolean): DeliveryLoop => {
  let delivery: WebhookDelivery | undefined
  let gauges: DeliveryLoop["gauges"] = () => []
  return {
    begin: async (store) => {
      const { deliverWebhooks, deliveryGauges, deliveryLine } = await import(
        "@petstore/http-adapter/webhooks"
      )
      const { nowMs } = store.engine
      const delivering = deliverWebhooks(store, {
        onAttempt: (attempt) => {
          if (!quiet || attempt.outcome !== "delivered") log.write(deliveryLine(nowMs(), attempt))
        },
        onError: (cause) =>
          log.write(failureLine(nowMs(), cause, { requestId: "", operation: "webhooks.deliver" }))
      })
      delivery = delivering
      gauges = () => deliveryGauges(delivering.counts())
    },
    end: async () => delivery?.close(),
    gauges: () => gauges()
  }
}
