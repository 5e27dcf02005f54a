/**
 * Counts calls of deprecated operations by account, operation and UTC day. Each call is counted in
 * memory; the counts are stored at most every ten seconds and on closing. A call neither waits for
 * the storage nor fails with it.
 */
import * as Effect from "effect/Effect"
import type { Write } from "../../engine/port/Runner.js"
import { rangesWhere } from "../../engine/list/Selection.js"
import { andThen, isPromise, type MaybePromise, orElse } from "../../value/maybePromise.js"
import { deprecatedCalls } from "./rows.js"
import type { Program } from "../../engine/program/Program.js"
import { scan } from "../../engine/program/requests.js"
import { insertRow, replaceRow } from "../../engine/program/rows.js"
import { DAY_MS } from "../../value/Time.js"

export type DeprecatedCalls = {
  /** Counts one call. */
  readonly note: (accountId: number, operation: string, nowMs: number) => void
  /**
   * Stores the pending counts, and waits for writes in progress. Counts that the storage fails to
   * take are stored with the next ones.
   */
  readonly flush: Effect.Effect<void>
  /** Drops the pending counts, as when the process dies. */
  readonly forget: () => void
}

type Count = {
  readonly accountId: number
  readonly operation: string
  readonly dayMs: number
  calls: number
}

const STORED_EVERY_MS = 10_000

/** Adds to the stored counts, so that several processes count together. */
function* add(counts: ReadonlyArray<Count>): Program<void> {
  for (const { accountId, operation, dayMs, calls } of counts) {
    for (const range of rangesWhere(deprecatedCalls, { accountId, operation, dayMs })) {
      const [stored] = yield* scan(deprecatedCalls, range, { limit: 1 })
      if (stored === undefined)
        yield* insertRow(deprecatedCalls, { accountId, operation, dayMs, calls })
      else yield* replaceRow(deprecatedCalls, stored, { calls: stored.calls + calls })
    }
  }
}

export const makeDeprecatedCalls = (write: Write): DeprecatedCalls => {
  /** By operation, then by account; of one day. */
  let counted = new Map<string, Map<number, Count>>()
  let dayMs = 0
  let size = 0
  let lastWriteMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  const count = (accountId: number, operation: string, more: number, ofDayMs: number): void => {
    let accounts = counted.get(operation)
    if (accounts === undefined) counted.set(operation, (accounts = new Map()))
    const entry = accounts.get(accountId)
    if (entry !== undefined) entry.calls += more
    else {
      accounts.set(accountId, { accountId, operation, dayMs: ofDayMs, calls: more })
      size++
    }
  }

  /** Counts that could not be stored are counted on; those of a past day are lost. */
  const keep = (counts: ReadonlyArray<Count>): void => {
    for (const each of counts) {
      if (each.dayMs === dayMs) count(each.accountId, each.operation, each.calls, each.dayMs)
    }
  }

  const store = (): MaybePromise<void> => {
    const counts: Array<Count> = []
    for (const accounts of counted.values()) counts.push(...accounts.values())
    counted = new Map()
    size = 0
    const written = orElse(
      () => write(() => add(counts)),
      () => undefined
    )
    return andThen(written, (answer) => (answer?._tag === "Right" ? undefined : keep(counts)))
  }

  const storeAside = (nowMs: number): void => {
    lastWriteMs = nowMs
    const writing = store()
    if (!isPromise(writing)) return
    underWay = writing
    void writing.then(() => (underWay = undefined))
  }

  return {
    note: (accountId, operation, nowMs) => {
      const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
      if (todayMs !== dayMs) {
        dayMs = todayMs
        if (size > 0) storeAside(nowMs)
      }
      count(accountId, operation, 1, todayMs)
      const isDue = nowMs - lastWriteMs >= STORED_EVERY_MS || nowMs < lastWriteMs
      if (isDue && underWay === undefined) storeAside(nowMs)
    },
    flush: Effect.suspend(() =>
      underWay === undefined && size === 0
        ? Effect.void
        : Effect.promise(async () => {
            await underWay
            if (size > 0) await store()
          })
    ),
    forget: () => {
      counted = new Map()
      size = 0
      lastWriteMs = Number.NEGATIVE_INFINITY
    }
  }
}
