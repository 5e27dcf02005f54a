/** The public names of @petstore/http-adapter/webhooks, written by hand: what is not here can be changed. */
export type { DeliveringStore, DeliverOptions, WebhookDelivery } from "./DeliverOptions.js"
export { deliverWebhooks } from "./deliverWebhooks.js"
export { type DeliveryAttempt, OtherWebhookSecret } from "./endpointDelivery.js"
export { httpSender, type HttpSenderOptions } from "./httpSender.js"
export { ForbiddenAddress, publicLookup } from "./publicLookup.js"
export { deliveryGauges, deliveryLine } from "./report.js"
export type { OutgoingMessage, WebhookSender } from "./WebhookSender.js"
