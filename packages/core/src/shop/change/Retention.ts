/** How many changes a store keeps, and for how long. Removes the others. */
import * as Context from "effect/Context"
import { DAY_MS } from "../../value/Time.js"
import { changes } from "./rows.js"
import { EVERY_ROW, type Program } from "../../engine/program/Program.js"
import { get, scan } from "../../engine/program/requests.js"

/** The bounds of the stored changes. */
export type ChangeRetention = {
  /** The number of changes that are stored, the newest ones; at least 1. */
  readonly count: number
  /** The maximum age of a change in milliseconds; `Infinity` for no bound. */
  readonly ageMs: number
}

/** 100,000 changes, for a week. */
export const DEFAULT_CHANGE_RETENTION: ChangeRetention = { count: 100_000, ageMs: 7 * DAY_MS }

/**
 * Throws a RangeError unless both bounds are numbers in range. At least one change is stored,
 * because the last sequence is read from it.
 */
export const changeRetention = ({ count, ageMs }: ChangeRetention): ChangeRetention => {
  if (!(count >= 1)) throw new RangeError("changeRetention.count: expected a number from 1")
  if (!(ageMs >= 0))
    throw new RangeError("changeRetention.ageMs: expected milliseconds from 0, or Infinity")
  return { count, ageMs }
}

/** The retention in force: the built-in one unless a host provides another. */
export class ChangeRetentionRules extends Context.Reference<ChangeRetentionRules>()(
  "@petstore/core/ChangeRetentionRules",
  { defaultValue: (): ChangeRetention => DEFAULT_CHANGE_RETENTION }
) {}

/**
 * The bounds of the number of changes between two trims. Stores that keep many changes trim less
 * often, because a trim costs as much as storing a change.
 */
const LEAST_TRIMMED_EVERY = 64
const MOST_TRIMMED_EVERY = 1_024

/**
 * The number of changes between two trims: a power of two. At most a hundredth of `count`, or 63,
 * are stored beyond the bound.
 */
export const trimmedEvery = ({ count }: ChangeRetention): number => {
  let every = LEAST_TRIMMED_EVERY
  while (every < MOST_TRIMMED_EVERY && 2 * every <= count / 100) every *= 2
  return every
}

/**
 * Removes the oldest changes beyond either bound, at most twice as many as were added since the
 * last trim. Keeps the last change, since the last sequence is read from it.
 */
export function* trim(retention: ChangeRetention, last: number, nowMs: number): Program<void> {
  const { count, ageMs } = retention
  const atOnce = 2 * trimmedEvery(retention)
  const [oldest] = yield* scan(changes, EVERY_ROW, { limit: 1 })
  if (oldest === undefined) return
  const most = Math.min(oldest.id + atOnce, last)
  let oldestId = Math.min(most, Math.max(oldest.id, last - count + 1))
  if (oldest.atMs < nowMs - ageMs) {
    // A binary search for the end of the expired changes.
    for (let leap = atOnce; leap >= 1; leap /= 2) {
      if (oldestId + leap > most) continue
      const there = yield* get(changes, oldestId + leap - 1)
      if (there !== undefined && there.atMs < nowMs - ageMs) oldestId += leap
    }
  }
  if (oldestId > oldest.id) yield { op: "deleteBelow", collection: changes, below: oldestId }
}
