/** The counts that a collection declares. */
import type { Collection, Row } from "@petstore/core/storage"
import type { Prepare } from "../base/Prepare.js"
import type { RowCodec } from "../codec/RowCodec.js"
import { CollectionCounts } from "./CollectionCounts.js"

/** The counts of one collection; undefined where none are kept. */
export const countsOf = (
  prepare: Prepare,
  collection: Collection<Row>,
  codec: RowCodec
): CollectionCounts | undefined =>
  collection.counts === undefined
    ? undefined
    : new CollectionCounts(prepare, collection, collection.counts, codec)
