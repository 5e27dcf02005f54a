/** Runs something once, a while from now by a clock. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { startTimer, type TimerOptions } from "./timers.js"

/** Effect's own: it sleeps by the global `setTimeout`, whoever has replaced it. */
const EFFECT_CLOCK = Clock.make()

/**
 * By the platform's timers where the clock sleeps as Effect's own does; otherwise the clock says
 * when, and `unref` makes no difference. Returns what cancels it.
 */
export const after = (
  clock: Clock.Clock,
  delayMs: number,
  run: () => void,
  options?: TimerOptions
): (() => void) => {
  if (clock.sleep === EFFECT_CLOCK.sleep) return startTimer(delayMs, run, options)
  const fiber = Effect.runFork(Effect.zipRight(clock.sleep(Duration.millis(delayMs)), Effect.sync(run)))
  return () => Effect.runSync(Fiber.interruptFork(fiber))
}
