/**
 * Runs an effect at once, and waits only if it has to: most storages of counts answer before the
 * call returns.
 */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type { MaybePromise } from "../../value/maybePromise.js"

/**
 * The exit itself if the effect is through without waiting for anything, else a promise of it that
 * never rejects.
 */
export const runNow = <A, E>(
  effect: Effect.Effect<A, E>,
  runtime: Runtime.Runtime<never>
): MaybePromise<Exit.Exit<A, E>> => {
  const fiber = Runtime.runFork(runtime)(effect)
  return fiber.unsafePoll() ?? new Promise((resolve) => fiber.addObserver(resolve))
}
