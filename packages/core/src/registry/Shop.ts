/** All operations of the shop, in groups. APIs, adapters and transactions are made from them. */
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

/** The rules that a host may replace. */
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
    /** The kinds of animals. */
    categories: categoryOperations(records),
    /** The animals. */
    pets: petOperations(transitions, records),
    /** The orders for animals. */
    orders: orderOperations(ordering, records),
    /** The stock of animals: how many are for sale. */
    inventory: inventoryOperations(records),
    /** The accounts of callers, and their plans. */
    accounts: accountOperations,
    /** The API keys of accounts. */
    keys: keyOperations(randomBytes),
    /** The accounts that still call deprecated operations. */
    deprecatedCalls: deprecatedCallOperations,
    /**
     * The endpoints that get changes. `deliverWebhooks` of @petstore/http-adapter/webhooks sends
     * them.
     */
    webhooks: webhookOperations(randomBytes, webhooks)
  }
}

/** All groups with their operations. */
export interface Shop extends ReturnType<typeof makeShop> {}
