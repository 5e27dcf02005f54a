/** Runs an effect synchronously if possible: most storages of counts never wait. */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type { MaybePromise } from "../../value/maybePromise.js"

/** The exit if the effect finishes without waiting, else a promise of it, which never rejects. */
export const runNow = <A, E>(
  effect: Effect.Effect<A, E>,
  runtime: Runtime.Runtime<never>
): MaybePromise<Exit.Exit<A, E>> => {
  const fiber = Runtime.runFork(runtime)(effect)
  return fiber.unsafePoll() ?? new Promise((resolve) => fiber.addObserver(resolve))
}
