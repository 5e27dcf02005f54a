/**
 * The write requests of the shop's programs. Each write appends its change to the feed in the same
 * transaction.
 */
import type { Collection, Columns, Image } from "../engine/program/Collection.js"
import type { Program } from "../engine/program/Program.js"
import type { Changes, MissingIn, NewFields, Writable } from "../engine/program/rows.js"
import type { RequestContext } from "../engine/operation/RequestContext.js"

/** `insert`, `replace` and `remove` for records that are in the feed. */
export type RecordWrites = {
  /** Fills in folded texts. Refuses a reference to a missing record. */
  readonly insert: <R extends Image, C extends Columns<R>>(
    context: RequestContext,
    collection: Collection<R, C>,
    fields: NewFields<R, C>
  ) => Program<R, MissingIn<C, keyof C>>
  /** Does the same for the columns that change. */
  readonly replace: <R extends Image, C extends Columns<R>, K extends Writable<R, C>>(
    context: RequestContext,
    collection: Collection<R, C>,
    row: R,
    changes: Changes<R, K>
  ) => Program<R, MissingIn<C, K>>
  /** Refuses while a row refers to the record or holds it. Removes the records of its id too. */
  readonly remove: <R extends Image, C extends Columns<R>, InUse>(
    context: RequestContext,
    collection: Collection<R, C, InUse>,
    row: R
  ) => Program<void, InUse>
}
