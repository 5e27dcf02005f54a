/** Whether there is anything in a store, asked as a step of a transaction. */
import type { Shop, TransactionApi } from "@petstore/core"

/** Whether the shop has a category, a pet or an order. Accounts and keys are not part of the shop. */
export function* hasShop(tx: TransactionApi<Shop>) {
  for (const { list } of [tx.categories, tx.pets, tx.orders]) {
    if ((yield* list({ limit: 1 })).items.length > 0) return true
  }
  return false
}
