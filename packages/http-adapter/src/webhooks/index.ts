/** The public names of @petstore/http-adapter/webhooks. The list is written by hand. */
export type { DeliveringStore, DeliverOptions, WebhookDelivery } from "./DeliverOptions.js"
export { deliverWebhooks } from "./deliverWebhooks.js"
export { type DeliveryAttempt, OtherWebhookSecret } from "./DeliveryAttempt.js"
export { httpSender, type HttpSenderOptions } from "./httpSender.js"
export { ForbiddenAddress, publicLookup } from "./publicLookup.js"
export { deliveryGauges, deliveryLine } from "./report.js"
export type { OutgoingMessage, WebhookSender } from "./WebhookSender.js"
