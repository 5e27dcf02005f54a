/** A clock that stands still until it is set by hand, forwards or backwards. */
import { Clock, Effect } from "effect"

export const handClock = (startMs: number) => {
  let nowMs = startMs
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => nowMs,
    currentTimeMillis: Effect.sync(() => nowMs),
    unsafeCurrentTimeNanos: () => BigInt(nowMs) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(nowMs) * 1_000_000n),
    sleep: () => Effect.never
  }
  return {
    clock,
    nowMs: () => nowMs,
    set: (ms: number) => void (nowMs = ms),
    pass: (ms: number) => void (nowMs += ms)
  }
}
