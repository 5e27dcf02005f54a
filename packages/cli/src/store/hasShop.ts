/** Whether a store has a shop, as a step of a transaction. */
import type { TransactionApi } from "@petstore/core"
import type { Shop } from "@petstore/core/adapter"

/** True with a category, a pet or an order. Accounts and keys are not part of the shop. */
export function* hasShop(tx: TransactionApi<Shop>) {
  for (const { list } of [tx.categories, tx.pets, tx.orders]) {
    if ((yield* list({ limit: 1 })).items.length > 0) return true
  }
  return false
}
