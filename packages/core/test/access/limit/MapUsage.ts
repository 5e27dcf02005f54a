/** A storage of counts in a plain map, for tests: shared by limiters as processes share a file. */
import { Effect } from "effect"
import type { Limiter, LimiterAnswer } from "../../../src/access/limit/Limiter.js"
import { makeLimiter } from "../../../src/access/limit/makeLimiter.js"
import type { Decision } from "../../../src/access/limit/Decision.js"
import type { BanPolicy } from "../../../src/access/limit/Ban.js"
import type { UsageRecord } from "../../../src/engine/port/Usage.js"

type Decide<A> = (current: UsageRecord | undefined) => readonly [A, UsageRecord | undefined]

export class MapUsage {
  readonly records = new Map<string, UsageRecord>()
  questions = 0

  readonly before: Effect.Effect<void>

  /** `before` runs ahead of each step, to make the storage wait. */
  constructor(before: Effect.Effect<void> = Effect.void) {
    this.before = before
  }

  private step<A>(key: string, decide: Decide<A>): A {
    this.questions++
    const current = this.records.get(key)
    const [answer, next] = decide(current)
    if (next === undefined) this.records.delete(key)
    else if (next !== current) this.records.set(key, next)
    return answer
  }

  readonly modify = <A>(key: string, decide: Decide<A>): Effect.Effect<A> =>
    Effect.andThen(
      this.before,
      Effect.sync(() => this.step(key, decide))
    )

  limiter(banPolicy?: BanPolicy): Limiter {
    return makeLimiter(banPolicy === undefined ? { usage: this } : { usage: this, banPolicy })
  }
}

/** The decision of a limiter that answers at once. */
export const now = (answer: LimiterAnswer | Promise<LimiterAnswer>): Decision => {
  if (answer instanceof Promise) throw new Error("the limiter did not answer at once")
  if (answer._tag === "StorageError") throw answer
  return answer
}
