/** The programs that read the feed. */
import { type ChangeRow, changes, HISTORY_INDEX } from "./rows.js"
import { EVERY_ROW, type ReadProgram } from "../../engine/program/Program.js"
import { scan } from "../../engine/program/requests.js"
import type { RecordKind } from "./Change.js"

/** The sequence of the last change; 0 when there was none. */
export function* lastSequence(): ReadProgram<number> {
  const [last] = yield* scan(changes, EVERY_ROW, { limit: 1, descending: true })
  return last?.id ?? 0
}

/** The first `limit` stored changes after a sequence. */
export const changesAfter = (after: number, limit: number): ReadProgram<ReadonlyArray<ChangeRow>> =>
  scan(changes, EVERY_ROW, { limit, after: { value: after, id: after } })

export type Tail = { readonly last: number; readonly rows: ReadonlyArray<ChangeRow> }

/** The last sequence, and at most `limit` of the changes after `after`, the newest ones. */
export function* tail(after: number, limit: number): ReadProgram<Tail> {
  const last = yield* lastSequence()
  return {
    last,
    rows: last > after ? yield* changesAfter(Math.max(after, last - limit), limit) : []
  }
}

/** The sequences of the first and the last stored change; undefined if there are none. */
export function* extent(): ReadProgram<
  { readonly first: number; readonly last: number } | undefined
> {
  const [first] = yield* scan(changes, EVERY_ROW, { limit: 1 })
  return first === undefined ? undefined : { first: first.id, last: yield* lastSequence() }
}

/**
 * The newest `limit` changes of one record with sequences from `atLeast` to below `below`, newest
 * first. Reads every change in that range.
 */
export const changesOf = (
  kind: RecordKind,
  recordId: number,
  atLeast: number,
  below: number,
  limit: number
): ReadProgram<ReadonlyArray<ChangeRow>> =>
  scan(
    changes,
    { index: HISTORY_INDEX, prefix: [recordId, kind], atLeast, below },
    { limit, descending: true }
  )
