/** A clock that stands still until a test moves it. Then timers run at their due time, in order. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

type Timer = { readonly dueMs: number; readonly run: () => void }

export class VirtualClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly currentTimeMillis = Effect.sync(() => this.#nowMs)
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())
  readonly #timers = new Set<Timer>()
  #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  unsafeCurrentTimeMillis(): number {
    return this.#nowMs
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(Math.round(this.#nowMs * 1_000_000))
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async((resume) => {
      const cancel = this.after(Duration.toMillis(duration), () => resume(Effect.void))
      return Effect.sync(cancel)
    })
  }

  /** Calls `run` once, after the delay. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Moves forward to this time. Throws a RangeError for a time in the past. */
  moveTo(ms: number): void {
    if (ms < this.#nowMs) {
      throw new RangeError(
        `the clock is at ${this.#nowMs} and can't be moved back to ${ms}: restore a snapshot`
      )
    }
    for (let next = this.#nextDue(ms); next !== undefined; next = this.#nextDue(ms)) {
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      next.run()
    }
    this.#nowMs = Math.max(this.#nowMs, ms)
  }

  /** Sets the time, to an earlier one as well. Runs no timer. */
  set(ms: number): void {
    this.#nowMs = ms
  }

  #nextDue(ms: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.dueMs <= ms && (next === undefined || timer.dueMs < next.dueMs)) next = timer
    }
    return next
  }
}
