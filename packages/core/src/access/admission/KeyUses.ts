/**
 * Records when each key was last used: in memory with every request, in the storage at most once a
 * minute for each key, and on closing. Requests do not wait for the write, nor fail with it.
 */
import * as Effect from "effect/Effect"
import { isPromise, type MaybePromise, orElse } from "../../value/maybePromise.js"
import type { Write } from "../../engine/port/Runner.js"
import { keyUses } from "../key/rows.js"
import type { Program } from "../../engine/program/Program.js"
import { get } from "../../engine/program/requests.js"
import { insertRow, replaceRow } from "../../engine/program/rows.js"
import type { CachedKey } from "./CachedKey.js"

export type KeyUses = {
  /** Records that a key is used now. */
  readonly note: (key: CachedKey, nowMs: number) => void
  /**
   * Stores the last uses of these keys, and waits for writes in progress. Storage errors are
   * ignored.
   */
  readonly flush: (keys: Iterable<CachedKey>) => Effect.Effect<void>
}

/** A use is stored if it is this much later than the stored one. */
const STORED_EVERY_MS = 60_000

/** Uses are written together: after this time, or when there are this many. */
const WRITE_EVERY_MS = 1_000
const BATCH_SIZE = 256

type Use = { readonly id: number; readonly usedMs: number }

/** Keeps a later use that another process has stored. */
function* store(uses: ReadonlyArray<Use>): Program<void> {
  for (const { id, usedMs } of uses) {
    const stored = yield* get(keyUses, id)
    if (stored === undefined) yield* insertRow(keyUses, { id, usedMs })
    else if (usedMs > stored.usedMs) yield* replaceRow(keyUses, stored, { usedMs })
  }
}

export const makeKeyUses = (write: Write): KeyUses => {
  const pending = new Set<CachedKey>()
  let lastWriteMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<unknown> | undefined

  /**
   * Stores a batch of pending uses. A failed batch is dropped; a use a minute later tries again.
   */
  const storeSome = (): MaybePromise<unknown> => {
    const uses: Array<Use> = []
    for (const key of pending) {
      if (uses.length === BATCH_SIZE) break
      pending.delete(key)
      uses.push({ id: key.keyId, usedMs: key.usedMs })
    }
    return orElse(
      () => write(() => store(uses)),
      () => undefined
    )
  }

  const isDue = (nowMs: number): boolean =>
    pending.size > 0 &&
    underWay === undefined &&
    (pending.size >= BATCH_SIZE || nowMs - lastWriteMs >= WRITE_EVERY_MS || nowMs < lastWriteMs)

  return {
    note: (key, nowMs) => {
      key.usedMs = nowMs
      if (nowMs - key.notedMs >= STORED_EVERY_MS) {
        key.notedMs = nowMs
        pending.add(key)
      }
      if (!isDue(nowMs)) return
      lastWriteMs = nowMs
      const writing = storeSome()
      if (!isPromise(writing)) return
      underWay = writing
      void writing.then(() => (underWay = undefined))
    },
    flush: (keys) =>
      Effect.suspend(() => {
        for (const key of keys) if (key.usedMs > key.notedMs) pending.add(key)
        if (underWay === undefined && pending.size === 0) return Effect.void
        return Effect.promise(async () => {
          await underWay
          while (pending.size > 0) await storeSome()
        })
      })
  }
}
