/** The clock of a host, in either of two forms. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * The current time in milliseconds since 1970: a function that is called whenever the time is
 * needed, such as `() => Date.now() + skewMs`; or an Effect `Clock`, which also decides how long
 * waiting takes.
 */
export type HostClock = (() => number) | Clock.Clock

/**
 * Converts it to an Effect `Clock`. A function decides the time only; waiting uses `sleep` of the
 * machine's clock.
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
