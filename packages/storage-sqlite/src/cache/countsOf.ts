/** The counts that a collection declares. */
import type { Collection, Row } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import type { RowCodec } from "../codec/RowCodec.js"
import { CollectionCounts } from "./CollectionCounts.js"

/** The counts of one collection; undefined if it declares none. */
export const countsOf = (
  file: Connection,
  collection: Collection<Row>,
  codec: RowCodec
): CollectionCounts | undefined =>
  collection.counts === undefined
    ? undefined
    : new CollectionCounts(file, collection, collection.counts, codec)
