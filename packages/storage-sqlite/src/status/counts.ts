/** How many records a store has, without counting them one by one where that is known already. */
import { RECORD_TYPES, type RecordGroups } from "@petstore/core/adapter"
import type { Collection, Row } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { sqlName } from "../base/names.js"
import { rowCodec } from "../codec/RowCodec.js"
import { hasTable } from "../schema/hasTable.js"
import { countsOf } from "../cache/countsOf.js"
import type { StoreCounts } from "./StoreStatus.js"

/** The first schema with the counts that `CollectionCounts` reads. */
const FIRST_WITH_COUNTS = 4

export const countsIn = (file: Connection, schema: number): StoreCounts => {
  const count = (table: string): number =>
    file.values<number>(`SELECT count(*) FROM ${table}`).get() ?? 0
  const total = (collection: Collection<Row>): number => {
    const table = sqlName(collection.name)
    // Of a type that the schema of the file does not have yet there are none.
    if (!hasTable(file, table)) return 0
    const counts =
      schema < FIRST_WITH_COUNTS ? undefined : countsOf(file, collection, rowCodec(collection))
    const [index] = counts?.indexes ?? []
    return counts === undefined || index === undefined ? count(table) : counts.countAll(index)
  }
  return {
    ...recordCounts(total),
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

/** The cast says that every group has its type in the list. */
const recordCounts = (total: (collection: Collection<Row>) => number) =>
  Object.fromEntries(
    RECORD_TYPES.map(({ collection }) => [collection.name, total(collection)])
  ) as Readonly<Record<keyof RecordGroups, number>>
