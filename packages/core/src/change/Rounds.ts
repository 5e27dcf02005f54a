/** Does something over and over while it is wanted, at intervals of a clock, without keeping the process alive for it. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** The timers that every platform has as globals; declared here because core knows no platform. */
declare const setTimeout: (run: () => void, delayMs: number) => number | { readonly unref?: () => void }
declare const clearTimeout: (timer: unknown) => void

/** The machine's clock, which Effect has where nobody has provided another. */
const MACHINE_CLOCK = Effect.runSync(Effect.clock)

/** Calls once after so long; returns what takes that back. */
const later = (clock: Clock.Clock, delayMs: number, run: () => void): (() => void) => {
  if (clock.sleep !== MACHINE_CLOCK.sleep) {
    const fiber = Effect.runFork(Effect.zipRight(clock.sleep(Duration.millis(delayMs)), Effect.sync(run)))
    return () => void Effect.runFork(Fiber.interruptFork(fiber))
  }
  // Effect's own sleep would keep a process from ending.
  const timer = setTimeout(run, delayMs)
  if (typeof timer === "object") timer.unref?.()
  return () => clearTimeout(timer)
}

/** Returns what ends it. */
export const everySoOften = (clock: Clock.Clock, everyMs: number, run: () => void): (() => void) => {
  let cancel = () => undefined as void
  const round = (): void => {
    cancel = later(clock, everyMs, () => {
      run()
      round()
    })
  }
  round()
  return () => cancel()
}

/** Lets timers and sockets have their turn, where reading on would keep them waiting. */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
