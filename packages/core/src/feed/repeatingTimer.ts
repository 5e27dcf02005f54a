/** A timer that repeats by the clock of the store. */
import type * as Clock from "effect/Clock"
import { after } from "../value/after.js"

/**
 * Calls `run` every `everyMs` milliseconds. Does not keep the process alive. Returns a function
 * that stops it.
 */
export const startRepeatingTimer = (
  clock: Clock.Clock,
  everyMs: number,
  run: () => void
): (() => void) => {
  let cancel = () => undefined as void
  const round = (): void => {
    cancel = after(
      clock,
      everyMs,
      () => {
        run()
        round()
      },
      { unref: true }
    )
  }
  round()
  return () => cancel()
}
