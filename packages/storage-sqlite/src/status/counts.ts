/** How many records a store has, without counting them one by one where that is known already. */
import { type Collection, inventory, orders, pets, type Row } from "@petstore/core"
import type { Database } from "better-sqlite3"
import { rowCodec } from "../codec/RowCodec.js"
import { Counts } from "../cache/Counts.js"
import type { StoreCounts } from "./StoreStatus.js"

/** The first schema with the totals that `CollectionCounts` reads. */
const FIRST_WITH_TOTALS = 4

export const countsIn = (file: Database, schema: number): StoreCounts => {
  const count = (table: string): number => Number(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  const total = (collection: Collection<Row>): number => {
    const totals =
      schema < FIRST_WITH_TOTALS
        ? undefined
        : new Counts().of((sql) => file.prepare(sql), collection, rowCodec(collection))
    const [tally] = totals?.tallies ?? []
    return totals === undefined || tally === undefined ? count(collection.name) : totals.total(tally)
  }
  return {
    pets: total(pets),
    categories: count("categories"),
    orders: total(orders),
    inventory: total(inventory),
    // They are numbered without a gap, and only the oldest are removed.
    changes: Number(
      file
        .prepare("SELECT coalesce((SELECT max(id) FROM changes) - (SELECT min(id) FROM changes) + 1, 0)")
        .pluck()
        .get()
    ),
    accounts: count("accounts"),
    keys: count("keys"),
    webhooks: count("webhooks")
  }
}
