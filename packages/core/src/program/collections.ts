/** Every kind of record there is. Storages work from these descriptions. */
import { accounts, keys, keyUses } from "../admission/rows.js"
import { changes, feedEpochs } from "../change/rows.js"
import { deprecatedCalls } from "../deprecation/rows.js"
import { idempotency } from "../idempotency/rows.js"
import { categories, inventory, orders, pets } from "../shop/rows.js"
import { webhookAttempts, webhooks } from "../webhook/rows.js"

/** All collections, each after those it refers to. */
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
