/** Whether a store has a shop, as a step of a transaction. */
import type { TransactionApi } from "@petstore/core"
import { RECORD_GROUPS, type Shop } from "@petstore/core/adapter"

/** True with a record of any type. Accounts and keys are not part of the shop. */
export function* hasShop(tx: TransactionApi<Shop>) {
  for (const group of RECORD_GROUPS) {
    if ((yield* tx[group].list({ limit: 1 })).items.length > 0) return true
  }
  return false
}
