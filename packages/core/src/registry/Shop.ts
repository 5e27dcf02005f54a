/** All operations of the shop, in groups. APIs, adapters and transactions are made from them. */
import { COLLECTIONS } from "./collections.js"
import { recordWrites } from "../shop/change/makeRecordWrites.js"
import type { ChangeRetention } from "../shop/change/Retention.js"
import { recordOperations, type RecordRules } from "../shop/records.js"
import { accountOperations } from "../access/account/operations.js"
import { deprecatedCallOperations } from "../access/deprecation/operations.js"
import { keyOperations } from "../access/key/operations.js"
import { webhookOperations } from "../webhook/operations.js"
import type { WebhookPolicy } from "../webhook/WebhookRules.js"

/** The rules that a host may replace. */
export type Policies = RecordRules & {
  readonly randomBytes: (count: number) => Uint8Array
  readonly webhooks: WebhookPolicy
  readonly retention: ChangeRetention
}

export const makeShop = ({ randomBytes, webhooks, retention, ...rules }: Policies) => ({
  ...recordOperations(rules, recordWrites(retention, COLLECTIONS)),
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
})

/** All groups with their operations. */
export interface Shop extends ReturnType<typeof makeShop> {}
