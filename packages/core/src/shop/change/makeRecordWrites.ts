/** Makes the write requests of the shop's programs. */
import { changes, RECORD_COLLECTIONS, type RecordRow } from "./rows.js"
import type { Collection, Image, Row } from "../../engine/program/Collection.js"
import type { Program } from "../../engine/program/Program.js"
import { append, get, refuse, remove } from "../../engine/program/requests.js"
import { insertRow, replaceRow } from "../../engine/program/rows.js"
import { type Dependents, dependentsOf, isInUse } from "../../engine/operation/dependents.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { RECORD_KINDS, type RecordKind } from "./Change.js"
import { changeType } from "./changeType.js"
import type { RecordWrites } from "../RecordWrites.js"
import { type ChangeRetention, trim, trimmedEvery } from "./Retention.js"

/** What the writes know of a kind of record. */
type Known = { readonly kind: RecordKind; readonly dependents: Dependents }

/** `collections` are all those whose rows may refer to records. */
export const recordWrites = (
  retention: ChangeRetention,
  collections: ReadonlyArray<Collection<Row>>
): RecordWrites => {
  const every = trimmedEvery(retention)
  const typeOf = new Map(
    RECORD_KINDS.map((kind): [string, Known] => {
      const collection = RECORD_COLLECTIONS[kind]
      return [collection.name, { kind, dependents: dependentsOf(collection, collections) }]
    })
  )

  const knownOf = ({ name }: { readonly name: string }): Known => {
    const of = typeOf.get(name)
    if (of === undefined) throw new Error(`changes of ${name} are not in the feed`)
    return of
  }

  /**
   * Stores the change, and deletes old ones from time to time. The casts hold because the
   * collection is that of a record type.
   */
  function* recordChange(
    { nowMs, accountId, requestId }: RequestContext,
    collection: { readonly name: string },
    recordId: number,
    before: Image | null,
    after: Image | null
  ): Program<void> {
    const { kind } = knownOf(collection)
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

  function* removeRow<R extends Image>(
    context: RequestContext,
    collection: Collection<R>,
    row: R
  ): Program<void> {
    yield* remove(collection, row)
    yield* recordChange(context, collection, row.id, row, null)
  }

  return {
    *insert(context, collection, fields) {
      const row = yield* insertRow(collection, fields)
      yield* recordChange(context, collection, row.id, null, row)
      return row
    },
    *replace(context, collection, row, changes) {
      const next = yield* replaceRow(collection, row, changes)
      yield* recordChange(context, collection, row.id, row, next)
      return next
    },
    *remove(context, collection, row) {
      const { dependents } = knownOf(collection)
      if (collection.inUse !== undefined && (yield* isInUse(dependents, row.id)))
        yield* refuse(collection.inUse(row.id))
      for (const extension of dependents.extensions) {
        const other = yield* get<Image>(extension, row.id)
        if (other !== undefined) yield* removeRow(context, extension, other)
      }
      yield* removeRow(context, collection, row)
    }
  }
}
