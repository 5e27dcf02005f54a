/** All collections. Storages work from these declarations. */
import { accounts } from "../access/account/rows.js"
import { keys, keyUses } from "../access/key/rows.js"
import { changes, feedEpochs } from "../shop/change/rows.js"
import { deprecatedCalls } from "../access/deprecation/rows.js"
import { idempotency } from "../engine/idempotency/rows.js"
import { categories } from "../shop/category/rows.js"
import { inventory } from "../shop/inventory/rows.js"
import { orders } from "../shop/order/rows.js"
import { pets } from "../shop/pet/rows.js"
import { webhookAttempts, webhooks } from "../webhook/rows.js"

/** All collections, each after those that it refers to. */
export const COLLECTIONS = [
  categories,
  pets,
  inventory,
  orders,
  accounts,
  keys,
  idempotency,
  keyUses,
  deprecatedCalls,
  webhooks,
  webhookAttempts,
  changes,
  feedEpochs
] as const
