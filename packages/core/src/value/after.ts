/** Runs a function once, after a delay by a clock. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { startTimer, type TimerOptions } from "./timers.js"

/**
 * Effect's default clock. Its `sleep` uses the global `setTimeout`, even if a test has replaced it.
 */
const EFFECT_CLOCK = Clock.make()

/**
 * Uses a timer of the platform if the clock sleeps as Effect's default clock does. Otherwise uses
 * the clock, and ignores `unref`. Returns a function that cancels it.
 */
export const after = (
  clock: Clock.Clock,
  delayMs: number,
  run: () => void,
  options?: TimerOptions
): (() => void) => {
  if (clock.sleep === EFFECT_CLOCK.sleep) return startTimer(delayMs, run, options)
  const fiber = Effect.runFork(
    Effect.zipRight(clock.sleep(Duration.millis(delayMs)), Effect.sync(run))
  )
  return () => Effect.runSync(Fiber.interruptFork(fiber))
}
