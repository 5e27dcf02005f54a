/** Which counts are kept. */
import type { Collection, Row } from "@petstore/core"
import type { Prepare } from "../base/Prepare.js"
import type { RowCodec } from "../codec/RowCodec.js"
import type { CountDescription } from "./CountIndex.js"
import { CollectionCounts } from "./CollectionCounts.js"

/** What lists with a total filter by. CollectionCounts of anything else are counted when they are asked for. */
const COUNTED: Readonly<Record<string, ReadonlyArray<CountDescription>>> = {
  pets: [
    { name: "pets_status", on: ["status"] },
    { name: "pets_category_status", on: ["categoryId", "status"] }
  ],
  inventory: [{ name: "inventory_status", on: ["status"] }],
  orders: [{ name: "orders_complete", on: ["complete"] }]
}

/** The counts of one collection; undefined where none are kept. */
export const countsOf = (
  prepare: Prepare,
  collection: Collection<Row>,
  codec: RowCodec
): CollectionCounts | undefined => {
  const described = COUNTED[collection.name]
  return described === undefined ? undefined : new CollectionCounts(prepare, collection, described, codec)
}
