/** Makes the write requests of the shop's programs. */
import type { Image } from "../../engine/program/Collection.js"
import { changes, RECORD_COLLECTIONS } from "./rows.js"
import type { Insert } from "../../engine/program/Program.js"
import { answered, answeredId, getting, refuse, replacing } from "../../engine/program/requests.js"
import { isId } from "../../value/Id.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { RECORD_KINDS } from "./Change.js"
import { changeType } from "./changeType.js"
import type { RecordWrites } from "./RecordWrites.js"
import { type ChangeRetention, trim, trimmedEvery } from "./Retention.js"

/** The kind of record, by the name of its collection. */
const KINDS = new Map(RECORD_KINDS.map((kind) => [RECORD_COLLECTIONS[kind].name, kind]))

/**
 * The stored form of a change. A plain function: a generator would add to the cost of every write.
 */
const changeOf = (
  { nowMs, accountId, requestId }: RequestContext,
  { name }: { readonly name: string },
  recordId: number,
  before: Image | null,
  after: Image | null
): Insert => {
  const kind = KINDS.get(name)
  if (kind === undefined) throw new Error(`changes of ${name} are not in the feed`)
  return {
    op: "insert",
    returning: false,
    collection: changes,
    row: {
      atMs: nowMs,
      type: changeType(kind, before, after),
      kind,
      recordId,
      accountId: accountId ?? null,
      requestId: requestId ?? null,
      before,
      after
    }
  }
}

export const recordWrites = (retention: ChangeRetention): RecordWrites => {
  const every = trimmedEvery(retention)
  return {
    // One generator for the parent, the record and the change: each generator slows down a create.
    *insert(context, collection, fields, parent) {
      if (
        parent !== undefined &&
        !(isId(parent.id) && (yield getting(parent.collection, parent.id)) !== undefined)
      )
        yield* refuse(parent.missing(parent.id))
      const row = answered(collection, yield { op: "insert", collection, row: fields })
      const id = answeredId(yield changeOf(context, collection, row.id, null, row))
      if (id % every === 0) yield* trim(retention, id, context.nowMs)
      return row
    },
    *replace(context, collection, row, changed) {
      const next = answered(collection, yield replacing(collection, row, changed))
      const id = answeredId(yield changeOf(context, collection, row.id, row, next))
      if (id % every === 0) yield* trim(retention, id, context.nowMs)
      return next
    },
    *remove(context, collection, row) {
      yield { op: "remove", collection, id: row.id }
      const id = answeredId(yield changeOf(context, collection, row.id, row, null))
      if (id % every === 0) yield* trim(retention, id, context.nowMs)
    }
  }
}
