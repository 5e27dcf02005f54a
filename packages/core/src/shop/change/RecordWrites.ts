/**
 * The write requests of the shop's programs. Each write appends its change to the feed in the same
 * transaction.
 */
import type { Collection, Image } from "../../engine/program/Collection.js"
import type { Program } from "../../engine/program/Program.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"

/** `insert`, `replace` and `remove` for records that are in the feed. */
export type RecordWrites = {
  readonly insert: <R extends Image>(
    context: RequestContext,
    collection: Collection<R>,
    fields: Omit<R, "id" | "revision"> & { readonly id?: number }
  ) => Program<R>
  readonly replace: <R extends Image>(
    context: RequestContext,
    collection: Collection<R>,
    row: R,
    changed: Partial<Omit<R, "id" | "revision">>
  ) => Program<R>
  readonly remove: <R extends Image>(
    context: RequestContext,
    collection: Collection<R>,
    row: R
  ) => Program<void>
}
