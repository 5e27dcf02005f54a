/**
 * The history of one record, found by scanning the stored changes from the newest on. There is no
 * index by record: every write would pay for it, and histories are read rarely.
 */
import * as Effect from "effect/Effect"
import type { StorageError } from "../engine/port/StorageError.js"
import type { ReadProgram } from "../engine/program/Program.js"
import { yieldToPlatform } from "../value/timers.js"
import type { RecordKind } from "../shop/change/Change.js"
import { changesOf, extent } from "../shop/change/reading.js"
import type { ChangeRow } from "../shop/change/rows.js"

/** Runs a reading program. */
type Read = <A>(program: () => ReadProgram<A>) => Effect.Effect<A, StorageError>

/** Which changes of which record. */
export type HistoryQuery = {
  readonly kind: RecordKind
  readonly recordId: number
  /** Only changes before this one. */
  readonly before: number
  readonly limit: number
}

/** The number of changes that are scanned before other tasks run: one or two milliseconds. */
const LOOKED_AT_ONCE = 10_000

/** The newest `limit` changes of the record, oldest first. */
export const historyOf = (
  read: Read,
  { kind, recordId, before, limit }: HistoryQuery
): Effect.Effect<ReadonlyArray<ChangeRow>, StorageError> =>
  Effect.gen(function* () {
    const rows: Array<ChangeRow> = []
    const stored = yield* read(extent)
    if (stored === undefined) return rows
    let below = Math.min(before, stored.last + 1)
    while (below > stored.first && rows.length < limit) {
      const atLeast = below - LOOKED_AT_ONCE
      const upTo = below
      rows.push(
        ...(yield* read(() => changesOf(kind, recordId, atLeast, upTo, limit - rows.length)))
      )
      below = atLeast
      if (below > stored.first) yield* Effect.promise(yieldToPlatform)
    }
    return rows.toReversed()
  })
