/** The programs that read the feed. */
import { BY_ID } from "../program/Collection.js"
import { type ChangeRow, changes, HISTORY_INDEX } from "./rows.js"
import type { Range, ReadProgram } from "../program/Program.js"
import { scan } from "../program/requests.js"
import type { RecordKind } from "./Change.js"

export const EVERY_CHANGE: Range = { index: BY_ID, prefix: [], atLeast: null, below: null }

/** The sequence of the last change; 0 when there was none. */
export function* lastSequence(): ReadProgram<number> {
  const [last] = yield* scan(changes, EVERY_CHANGE, { limit: 1, descending: true })
  return last?.id ?? 0
}

/** The first `limit` changes after a place that are kept. */
export const changesAfter = (after: number, limit: number): ReadProgram<ReadonlyArray<ChangeRow>> =>
  scan(changes, EVERY_CHANGE, { limit, after: { value: after, id: after } })

export type Tail = { readonly last: number; readonly rows: ReadonlyArray<ChangeRow> }

/** The last sequence, and the changes after `after`: the newest `limit` of them, where there are more. */
export function* tail(after: number, limit: number): ReadProgram<Tail> {
  const last = yield* lastSequence()
  return { last, rows: last > after ? yield* changesAfter(Math.max(after, last - limit), limit) : [] }
}

/** The newest `limit` changes of one record before a place, newest last. */
export function* historyOf(
  kind: RecordKind,
  recordId: number,
  before: number | undefined,
  limit: number
): ReadProgram<ReadonlyArray<ChangeRow>> {
  const range: Range = {
    index: HISTORY_INDEX,
    prefix: [recordId, kind],
    atLeast: null,
    below: before ?? null
  }
  return (yield* scan(changes, range, { limit, descending: true })).toReversed()
}
