/**
 * Replays a change on another store. A store on which all changes are replayed has the same
 * records, revisions included.
 */
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
    .filter(
      ([column, value]) => column !== "id" && column !== "revision" && past.get(column) !== value
    )
    .map(([column]) => column)
}

/**
 * Writes the record as the change left it, and appends the change. Replay all changes, in order, on
 * an empty store: it assigns the same ids, since no id is ever assigned twice. Dies if the store
 * assigns another one.
 */
export function* replayChange(row: ChangeRow): Program<void> {
  const recordId = yield* write(row)
  const { id, revision: _, ...change } = row
  const copy = yield* insert(changes, change)
  if (recordId !== row.recordId || copy.id !== id)
    throw new Error(`change ${id} of ${row.kind} ${row.recordId} became ${copy.id} of ${recordId}`)
}
