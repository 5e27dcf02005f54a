/**
 * The write requests of the shop's programs. Each write appends its change to the feed in the same
 * transaction.
 */
import type { Collection, Image, Row } from "../../engine/program/Collection.js"
import type { Program } from "../../engine/program/Program.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"

/**
 * A record that a new one refers to, such as the category of a pet, and the error if it is missing.
 */
export type Parent<E> = {
  readonly collection: Collection<Row>
  readonly id: number
  readonly missing: (id: number) => E
}

/** `insert`, `replace` and `remove` for records that are in the feed. */
export type RecordWrites = {
  /** Fails if a parent is given and missing. */
  readonly insert: <R extends Image, E = never>(
    context: RequestContext,
    collection: Collection<R>,
    fields: Omit<R, "id" | "revision"> & { readonly id?: number },
    parent?: Parent<E>
  ) => Program<R, E>
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
