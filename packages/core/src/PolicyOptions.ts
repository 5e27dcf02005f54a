/**
 * The rules that a host may replace, as plain values, and their conversion to services of the
 * engine.
 */
import * as Context from "effect/Context"
import {
  type ChangeRetention,
  changeRetention,
  ChangeRetentionRules
} from "./shop/change/Retention.js"
import { Entropy } from "./access/key/Entropy.js"
import type { BanPolicy } from "./access/limit/Ban.js"
import { BanRules } from "./access/limit/BanRules.js"
import type { FixedPlans } from "./access/account/Plan.js"
import { PlanTable } from "./access/account/PlanTable.js"
import { OrderingPolicy, type OrderingRules } from "./shop/order/OrderingPolicy.js"
import { StatusPolicy, type StatusTransitions } from "./shop/pet/StatusPolicy.js"
import { type WebhookOptions, webhookPolicy, WebhookRules } from "./webhook/WebhookRules.js"

/** Rules of the host that replace defaults. */
export type PolicyOptions = {
  /** How an order changes stock. By default, it takes units from stock at once. */
  readonly ordering?: OrderingRules
  /** The allowed transitions between statuses. By default, all. */
  readonly transitions?: StatusTransitions
  /** Requests per minute and per day, by plan. By default, those of the specification. */
  readonly plans?: FixedPlans
  /**
   * When callers that ignore a 429 are banned, and for how long. By default, `DEFAULT_BAN_POLICY`.
   */
  readonly banPolicy?: BanPolicy
  /**
   * How many changes are kept for readers of the feed, and for how long. By default, 100,000 and 7
   * days.
   */
  readonly changeRetention?: ChangeRetention
  /** The random source of keys. By default, the secure source of the platform. */
  readonly randomBytes?: (count: number) => Uint8Array
  /**
   * The secret that the secrets of webhooks are derived from, and which URLs are allowed besides
   * public addresses over https.
   */
  readonly webhooks?: WebhookOptions
}

/** The services of the options that are set. The others have defaults in core. */
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
  if (retention !== undefined)
    given = Context.add(given, ChangeRetentionRules, changeRetention(retention))
  if (randomBytes !== undefined) given = Context.add(given, Entropy, { randomBytes })
  if (webhooks !== undefined) given = Context.add(given, WebhookRules, webhookPolicy(webhooks))
  return given
}
