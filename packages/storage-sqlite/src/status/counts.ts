/** How many records a store has, without counting them one by one where that is known already. */
import { type Collection, inventory, orders, pets, type Row } from "@petstore/core/storage"
import type { Database } from "better-sqlite3"
import { rowCodec } from "../codec/RowCodec.js"
import { countsOf } from "../cache/countsOf.js"
import type { StoreCounts } from "./StoreStatus.js"

/** The first schema with the counts that `CollectionCounts` reads. */
const FIRST_WITH_COUNTS = 4

export const countsIn = (file: Database, schema: number): StoreCounts => {
  const count = (table: string): number =>
    Number(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  const total = (collection: Collection<Row>): number => {
    const counts =
      schema < FIRST_WITH_COUNTS
        ? undefined
        : countsOf((sql) => file.prepare(sql), collection, rowCodec(collection))
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
    changes: Number(
      file
        .prepare(
          "SELECT coalesce((SELECT max(id) FROM changes) - (SELECT min(id) FROM changes) + 1, 0)"
        )
        .pluck()
        .get()
    ),
    accounts: count("accounts"),
    keys: count("keys"),
    webhooks: count("webhooks")
  }
}
