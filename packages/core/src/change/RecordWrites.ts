/** The words in which the shop's programs write its records: each write appends its change, in the same transaction. */
import type { Collection } from "../program/Collection.js"
import type { CategoryRow, InventoryRow, OrderRow, PetRow } from "../shop/rows.js"
import { changes } from "./rows.js"
import type { Program } from "../program/Program.js"
import { insert, remove, replace } from "../program/requests.js"
import type { Origin } from "../shop/Origin.js"
import type { RecordKind } from "./Change.js"
import { changeType } from "./changeType.js"
import { type ChangeRetention, isTrimmer, trim } from "./Retention.js"

export type RecordRow = PetRow | CategoryRow | OrderRow | InventoryRow

const KINDS: Readonly<Record<string, RecordKind>> = {
  pets: "pet",
  categories: "category",
  orders: "order",
  inventory: "inventory"
}

const kindOf = ({ name }: { readonly name: string }): RecordKind => {
  const kind = KINDS[name]
  if (kind === undefined) throw new Error(`changes of ${name} are not in the feed`)
  return kind
}

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

export const recordWrites = (retention: ChangeRetention): RecordWrites => {
  function* append(
    { nowMs, accountId, requestId }: Origin,
    kind: RecordKind,
    recordId: number,
    before: RecordRow | null,
    after: RecordRow | null
  ): Program<void> {
    const change = yield* insert(changes, {
      atMs: nowMs,
      type: changeType(kind, before, after),
      kind,
      recordId,
      accountId: accountId ?? null,
      requestId: requestId ?? null,
      before,
      after
    })
    if (isTrimmer(change.id)) yield* trim(retention, change.id, nowMs)
  }

  return {
    *insert(origin, collection, fields) {
      const row = yield* insert(collection, fields)
      yield* append(origin, kindOf(collection), row.id, null, row)
      return row
    },
    *replace(origin, collection, row, changed) {
      const next = yield* replace(collection, row, changed)
      yield* append(origin, kindOf(collection), row.id, row, next)
      return next
    },
    *remove(origin, collection, row) {
      yield* remove(collection, row)
      yield* append(origin, kindOf(collection), row.id, row, null)
    }
  }
}
