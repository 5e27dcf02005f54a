/** Does something over and over while it is wanted, at intervals of a clock. */
import type * as Clock from "effect/Clock"
import { after } from "../value/after.js"

/** Does not keep the process alive. Returns what ends it. */
export const everySoOften = (clock: Clock.Clock, everyMs: number, run: () => void): (() => void) => {
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
