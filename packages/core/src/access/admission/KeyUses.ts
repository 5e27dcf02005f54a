/**
 * Keeps when each key was last used: noted in memory with every request, stored at most once a minute for each key, and on
 * closing. A request neither waits for that nor fails with it.
 */
import * as Effect from "effect/Effect"
import type { MaybePromise } from "../../value/maybePromise.js"
import type { Write } from "../../engine/port/Runner.js"
import { keyUses } from "../key/rows.js"
import type { Program } from "../../engine/program/Program.js"
import { get, insert, replace } from "../../engine/program/requests.js"
import type { Holder } from "./Holder.js"

export type KeyUses = {
  /** Notes that a key was used now. */
  readonly note: (holder: Holder, nowMs: number) => void
  /** Stores what is noted of these keys, and waits for what is under way. A storage that fails is left at that. */
  readonly flush: (holders: Iterable<Holder>) => Effect.Effect<void>
}

/** A use this much later than the one that was stored is stored too. */
const STORED_EVERY_MS = 60_000

/** Uses are gathered for so long, or until there are so many, and then stored together. */
const GATHERED_FOR_MS = 1_000
const TOGETHER = 256

type Use = { readonly id: number; readonly usedMs: number }

/** A use that another process has stored meanwhile is not moved back. */
function* store(uses: ReadonlyArray<Use>): Program<void> {
  for (const { id, usedMs } of uses) {
    const stored = yield* get(keyUses, id)
    if (stored === undefined) yield* insert(keyUses, { id, usedMs })
    else if (usedMs > stored.usedMs) yield* replace(keyUses, stored, { usedMs })
  }
}

export const makeKeyUses = (write: Write): KeyUses => {
  const gathered = new Set<Holder>()
  let lastWriteMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<unknown> | undefined

  /** Stores some of the gathered uses. What fails is let go: the next use of the key after a minute tries again. */
  const storeSome = (): MaybePromise<unknown> => {
    const uses: Array<Use> = []
    for (const holder of gathered) {
      if (uses.length === TOGETHER) break
      gathered.delete(holder)
      uses.push({ id: holder.keyId, usedMs: holder.usedMs })
    }
    try {
      const written = write(() => store(uses))
      return written instanceof Promise ? written.catch(() => undefined) : undefined
    } catch {
      return undefined
    }
  }

  const isDue = (nowMs: number): boolean =>
    gathered.size > 0 &&
    underWay === undefined &&
    (gathered.size >= TOGETHER || nowMs - lastWriteMs >= GATHERED_FOR_MS || nowMs < lastWriteMs)

  return {
    note: (holder, nowMs) => {
      holder.usedMs = nowMs
      if (nowMs - holder.notedMs >= STORED_EVERY_MS) {
        holder.notedMs = nowMs
        gathered.add(holder)
      }
      if (!isDue(nowMs)) return
      lastWriteMs = nowMs
      const writing = storeSome()
      if (!(writing instanceof Promise)) return
      underWay = writing
      void writing.then(() => (underWay = undefined))
    },
    flush: (holders) =>
      Effect.suspend(() => {
        for (const holder of holders) if (holder.usedMs > holder.notedMs) gathered.add(holder)
        if (underWay === undefined && gathered.size === 0) return Effect.void
        return Effect.promise(async () => {
          await underWay
          while (gathered.size > 0) await storeSome()
        })
      })
  }
}
