/** How many changes a store keeps, and for how long; and the removal of those beyond that. */
import * as Context from "effect/Context"
import { DAY_MS } from "../../value/Time.js"
import { changes } from "./rows.js"
import { EVERY_ROW, type Program } from "../../engine/program/Program.js"
import { get, scan } from "../../engine/program/requests.js"

/** Which changes are kept to be read again. */
export type ChangeRetention = {
  /** The newest so many are kept, at least 1; what is older goes. */
  readonly count: number
  /** What is older than this goes, in milliseconds; `Infinity` for no bound. */
  readonly ageMs: number
}

/** The newest 100,000, for a week. */
export const DEFAULT_CHANGE_RETENTION: ChangeRetention = { count: 100_000, ageMs: 7 * DAY_MS }

/**
 * Throws a RangeError where it would keep nothing, or not say how much: a feed without its last
 * change has no end to go on from.
 */
export const changeRetention = ({ count, ageMs }: ChangeRetention): ChangeRetention => {
  if (!(count >= 1)) throw new RangeError("changeRetention.count: expected a number from 1")
  if (!(ageMs >= 0)) throw new RangeError("changeRetention.ageMs: expected milliseconds from 0, or Infinity")
  return { count, ageMs }
}

/** The retention in force: the built-in one unless a host provides another. */
export class ChangeRetentionRules extends Context.Reference<ChangeRetentionRules>()(
  "@petstore/core/ChangeRetentionRules",
  { defaultValue: (): ChangeRetention => DEFAULT_CHANGE_RETENTION }
) {}

/**
 * Each so-manieth change makes room: seldom, where many are kept, since looking for what is to go
 * costs as much as storing a change.
 */
const LEAST_TRIMMED_EVERY = 64
const MOST_TRIMMED_EVERY = 1_024

/**
 * How many changes one that makes room comes after, a power of two. So no more than a hundredth, or
 * 63, are kept beyond what was asked for.
 */
export const trimmedEvery = ({ count }: ChangeRetention): number => {
  let every = LEAST_TRIMMED_EVERY
  while (every < MOST_TRIMMED_EVERY && 2 * every <= count / 100) every *= 2
  return every
}

/**
 * Removes the oldest changes that are past either bound, twice as many at most as have come since
 * the last time. The last one always stays: who asks for the last sequence finds it there.
 */
export function* trim(retention: ChangeRetention, last: number, nowMs: number): Program<void> {
  const { count, ageMs } = retention
  const atOnce = 2 * trimmedEvery(retention)
  const [oldest] = yield* scan(changes, EVERY_ROW, { limit: 1 })
  if (oldest === undefined) return
  const most = Math.min(oldest.id + atOnce, last)
  let kept = Math.min(most, Math.max(oldest.id, last - count + 1))
  if (oldest.atMs < nowMs - ageMs) {
    // Halving leaps find how far the old ones go without reading each of them.
    for (let leap = atOnce; leap >= 1; leap /= 2) {
      if (kept + leap > most) continue
      const there = yield* get(changes, kept + leap - 1)
      if (there !== undefined && there.atMs < nowMs - ageMs) kept += leap
    }
  }
  if (kept > oldest.id) yield { op: "trim", collection: changes, below: kept }
}
