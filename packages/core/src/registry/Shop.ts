/** All operations of the shop, in groups; what APIs, adapters and transactions are made from. */
import { recordWrites } from "../shop/change/RecordWrites.js"
import type { ChangeRetention } from "../shop/change/Retention.js"
import type { OrderingRules } from "../shop/order/OrderingPolicy.js"
import type { StatusTransitions } from "../shop/pet/StatusPolicy.js"
import { accountOperations } from "../access/account/operations.js"
import { categoryOperations } from "../shop/category/operations.js"
import { deprecatedCallOperations } from "../access/deprecation/operations.js"
import { inventoryOperations } from "../shop/inventory/operations.js"
import { keyOperations } from "../access/key/operations.js"
import { webhookOperations } from "../webhook/operations.js"
import type { WebhookPolicy } from "../webhook/WebhookRules.js"
import { orderOperations } from "../shop/order/operations.js"
import { petOperations } from "../shop/pet/operations.js"

/**
 * What a host may replace: rules, what is kept and where webhooks may go, and where random bytes
 * come from.
 */
export type Policies = {
  readonly ordering: OrderingRules
  readonly transitions: StatusTransitions
  readonly randomBytes: (count: number) => Uint8Array
  readonly webhooks: WebhookPolicy
  readonly retention: ChangeRetention
}

export const makeShop = ({ ordering, transitions, randomBytes, webhooks, retention }: Policies) => {
  const records = recordWrites(retention)
  return {
    /** Kinds of animals. */
    categories: categoryOperations(records),
    /** The animals. */
    pets: petOperations(transitions, records),
    /** Orders for animals. */
    orders: orderOperations(ordering, records),
    /** How many of an animal are for sale. */
    inventory: inventoryOperations(records),
    /** Who may call the served store, and on which plan. */
    accounts: accountOperations,
    /** The API keys of accounts. */
    keys: keyOperations(randomBytes),
    /** Who still calls what is deprecated. */
    deprecatedCalls: deprecatedCallOperations,
    /**
     * Endpoints that are told of changes. Sending is for `deliverWebhooks` of
     * @petstore/http-adapter/webhooks.
     */
    webhooks: webhookOperations(randomBytes, webhooks)
  }
}

/** Every group of verbs with its operations. */
export interface Shop extends ReturnType<typeof makeShop> {}
