/** Makes the write requests of the shop's programs. */
import { changes, RECORD_COLLECTIONS, type RecordRow } from "./rows.js"
import type { Image } from "../../engine/program/Collection.js"
import type { Program } from "../../engine/program/Program.js"
import { append, insert, remove, replace } from "../../engine/program/requests.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { RECORD_KINDS } from "./Change.js"
import { changeType } from "./changeType.js"
import type { RecordWrites } from "./RecordWrites.js"
import { type ChangeRetention, trim, trimmedEvery } from "./Retention.js"

/** The kind of record, by the name of its collection. */
const KINDS = new Map(RECORD_KINDS.map((kind) => [RECORD_COLLECTIONS[kind].name, kind]))

export const recordWrites = (retention: ChangeRetention): RecordWrites => {
  const every = trimmedEvery(retention)

  /**
   * Stores the change, and deletes old ones from time to time. The casts hold because the
   * collection is that of a record type.
   */
  function* recordChange(
    { nowMs, accountId, requestId }: RequestContext,
    { name }: { readonly name: string },
    recordId: number,
    before: Image | null,
    after: Image | null
  ): Program<void> {
    const kind = KINDS.get(name)
    if (kind === undefined) throw new Error(`changes of ${name} are not in the feed`)
    const id = yield* append(changes, {
      atMs: nowMs,
      type: changeType(kind, before, after),
      kind,
      recordId,
      accountId: accountId ?? null,
      requestId: requestId ?? null,
      before: before as RecordRow | null,
      after: after as RecordRow | null
    })
    if (id % every === 0) yield* trim(retention, id, nowMs)
  }

  return {
    *insert(context, collection, fields) {
      const row = yield* insert(collection, fields)
      yield* recordChange(context, collection, row.id, null, row)
      return row
    },
    *replace(context, collection, row, changed) {
      const next = yield* replace(collection, row, changed)
      yield* recordChange(context, collection, row.id, row, next)
      return next
    },
    *remove(context, collection, row) {
      yield* remove(collection, row)
      yield* recordChange(context, collection, row.id, row, null)
    }
  }
}
