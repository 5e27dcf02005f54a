/** The words in which the shop's programs write its records: each write appends its change, in the same transaction. */
import type { Collection } from "../program/Collection.js"
import { changes, RECORD_COLLECTIONS, type RecordRow } from "./rows.js"
import type { Append, Program } from "../program/Program.js"
import { answered, answeredId, replacing } from "../program/requests.js"
import type { Origin } from "../shop/Origin.js"
import { RECORD_KINDS } from "./Change.js"
import { changeType } from "./changeType.js"
import { type ChangeRetention, isTrimmer, trim } from "./Retention.js"

/** By the name of the collection. */
const KINDS = new Map(RECORD_KINDS.map((kind) => [RECORD_COLLECTIONS[kind].name, kind]))

/** `insert`, `replace` and `remove` for records that are in the feed. */
export type RecordWrites = {
  readonly insert: <R extends RecordRow>(
    origin: Origin,
    collection: Collection<R>,
    fields: Omit<R, "id" | "revision"> & { readonly id?: number }
  ) => Program<R>
  readonly replace: <R extends RecordRow>(
    origin: Origin,
    collection: Collection<R>,
    row: R,
    changed: Partial<Omit<R, "id" | "revision">>
  ) => Program<R>
  readonly remove: <R extends RecordRow>(origin: Origin, collection: Collection<R>, row: R) => Program<void>
}

/** What a change is stored as. Adds no generator: those of a create cost as much as storing it does. */
const changeOf = (
  { nowMs, accountId, requestId }: Origin,
  { name }: { readonly name: string },
  recordId: number,
  before: RecordRow | null,
  after: RecordRow | null
): Append => {
  const kind = KINDS.get(name)
  if (kind === undefined) throw new Error(`changes of ${name} are not in the feed`)
  return {
    op: "append",
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

export const recordWrites = (retention: ChangeRetention): RecordWrites => ({
  *insert(origin, collection, fields) {
    const row = answered(collection, yield { op: "insert", collection, row: fields })
    const id = answeredId(yield changeOf(origin, collection, row.id, null, row))
    if (isTrimmer(id)) yield* trim(retention, id, origin.nowMs)
    return row
  },
  *replace(origin, collection, row, changed) {
    const next = answered(collection, yield replacing(collection, row, changed))
    const id = answeredId(yield changeOf(origin, collection, row.id, row, next))
    if (isTrimmer(id)) yield* trim(retention, id, origin.nowMs)
    return next
  },
  *remove(origin, collection, row) {
    yield { op: "remove", collection, id: row.id }
    const id = answeredId(yield changeOf(origin, collection, row.id, row, null))
    if (isTrimmer(id)) yield* trim(retention, id, origin.nowMs)
  }
})
