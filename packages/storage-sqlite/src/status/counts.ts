/** How many records a store has, without counting them one by one where that is known already. */
import { type Collection, inventory, orders, pets, type Row } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { rowCodec } from "../codec/RowCodec.js"
import { countsOf } from "../cache/countsOf.js"
import type { StoreCounts } from "./StoreStatus.js"

/** The first schema with the counts that `CollectionCounts` reads. */
const FIRST_WITH_COUNTS = 4

export const countsIn = (file: Connection, schema: number): StoreCounts => {
  const count = (table: string): number =>
    file.values<number>(`SELECT count(*) FROM ${table}`).get() ?? 0
  const total = (collection: Collection<Row>): number => {
    const counts =
      schema < FIRST_WITH_COUNTS ? undefined : countsOf(file, collection, rowCodec(collection))
    const [index] = counts?.indexes ?? []
    return counts === undefined || index === undefined
      ? count(collection.name)
      : counts.total(index)
  }
  return {
    pets: total(pets),
    categories: count("categories"),
    orders: total(orders),
    inventory: total(inventory),
    // They are numbered without a gap, and only the oldest are removed.
    changes:
      file
        .values<number>(
          "SELECT coalesce((SELECT max(id) FROM changes) - (SELECT min(id) FROM changes) + 1, 0)"
        )
        .get() ?? 0,
    accounts: count("accounts"),
    keys: count("keys"),
    webhooks: count("webhooks")
  }
}
