/** Makes a change again on another store, as its row says: from the first change on, a store becomes the same shop, revisions included. */
import { type ChangeRow, changes, RECORD_COLLECTIONS, type RecordRow } from "./rows.js"
import type { Row } from "../../engine/program/Collection.js"
import type { Program } from "../../engine/program/Program.js"
import { insert, put, removeId } from "../../engine/program/requests.js"

function* write({ kind, recordId, before, after }: ChangeRow): Program<number> {
  const collection = RECORD_COLLECTIONS[kind]
  if (after === null) yield* removeId(collection, recordId)
  else if (before !== null) yield* put(collection, after, changedOf(before, after))
  else return (yield* insert<Row>(collection, after)).id
  return recordId
}

const changedOf = (before: RecordRow, after: RecordRow): ReadonlyArray<string> => {
  const past = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([column, value]) => column !== "id" && column !== "revision" && past.get(column) !== value)
    .map(([column]) => column)
}

/**
 * Writes the record as the change left it, and appends the change. Changes are made again in order and from the first one: the store gives
 * the ids it gave then, as none is ever given twice. A store that has something else already is a defect.
 */
export function* reenact(row: ChangeRow): Program<void> {
  const recordId = yield* write(row)
  const { id, revision: _, ...change } = row
  const copy = yield* insert(changes, change)
  if (recordId !== row.recordId || copy.id !== id)
    throw new Error(`change ${id} of ${row.kind} ${row.recordId} became ${copy.id} of ${recordId}`)
}
