/**
 * What a host may have its own of in a store, as plain values, and as the services that an engine
 * takes.
 */
import * as Context from "effect/Context"
import { type ChangeRetention, changeRetention, ChangeRetentionRules } from "./shop/change/Retention.js"
import { Entropy } from "./access/key/Entropy.js"
import type { BanPolicy } from "./access/limit/Ban.js"
import { BanRules } from "./access/limit/BanRules.js"
import type { FixedPlans } from "./access/account/Plan.js"
import { PlanTable } from "./access/account/PlanTable.js"
import { OrderingPolicy, type OrderingRules } from "./shop/order/OrderingPolicy.js"
import { StatusPolicy, type StatusTransitions } from "./shop/pet/StatusPolicy.js"
import { type WebhookOptions, webhookPolicy, WebhookRules } from "./webhook/WebhookRules.js"

/** Rules of the host's own where the defaults don't do. */
export type PolicyOptions = {
  /** What an order does to stock; takes from stock at once unless given. */
  readonly ordering?: OrderingRules
  /** Which statuses may follow which; any unless given. */
  readonly transitions?: StatusTransitions
  /** Requests a minute and a day, by plan; the specification's unless given. */
  readonly plans?: FixedPlans
  /**
   * When callers that go on asking after a 429 are banned, and for how long; `DEFAULT_BAN_POLICY`
   * unless given.
   */
  readonly banPolicy?: BanPolicy
  /**
   * How many changes are kept for readers of the feed, and for how long; 100,000 and 7 days unless
   * given.
   */
  readonly changeRetention?: ChangeRetention
  /** Where keys come from; the platform's secure source unless given. */
  readonly randomBytes?: (count: number) => Uint8Array
  /**
   * The secret that those of webhooks are made from, and where webhooks may go beyond public
   * addresses over https.
   */
  readonly webhooks?: WebhookOptions
}

/** Those that are given; for the others core's references have defaults. */
export const policiesOf = ({
  ordering,
  transitions,
  plans,
  banPolicy,
  changeRetention: retention,
  randomBytes,
  webhooks
}: PolicyOptions): Context.Context<never> => {
  let given = Context.empty()
  if (ordering !== undefined) given = Context.add(given, OrderingPolicy, ordering)
  if (transitions !== undefined) given = Context.add(given, StatusPolicy, transitions)
  if (plans !== undefined) given = Context.add(given, PlanTable, plans)
  if (banPolicy !== undefined) given = Context.add(given, BanRules, banPolicy)
  if (retention !== undefined) given = Context.add(given, ChangeRetentionRules, changeRetention(retention))
  if (randomBytes !== undefined) given = Context.add(given, Entropy, { randomBytes })
  if (webhooks !== undefined) given = Context.add(given, WebhookRules, webhookPolicy(webhooks))
  return given
}
