/** The clock of whoever opens a store, in either of two forms. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * What time it is, in milliseconds since 1970: a function that is asked whenever it matters, such
 * as `() => Date.now() + skewMs`. A `Clock` of Effect's is taken too, and then says as well how
 * long it takes to wait.
 */
export type HostClock = (() => number) | Clock.Clock

/**
 * The form Effect knows. A function says what time it is; waiting takes as long as on the machine,
 * whose `sleep` it keeps.
 */
export const clockOf = (given: HostClock): Clock.Clock => {
  if (typeof given !== "function") return given
  const nanos = () => BigInt(Math.round(given())) * 1_000_000n
  return Object.assign(Clock.make(), {
    unsafeCurrentTimeMillis: given,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(given),
    currentTimeNanos: Effect.sync(nanos)
  })
}
