/** The signals that stop a command: Ctrl-C, or SIGTERM of a supervisor. */
import process from "node:process"
import * as Effect from "effect/Effect"

export type StopSignal = "SIGINT" | "SIGTERM"

const SIGNALS: ReadonlyArray<StopSignal> = ["SIGINT", "SIGTERM"]

/** Waits for the first signal. It is caught once, so a second one ends the process at once. */
export const untilSignal: Effect.Effect<StopSignal> = Effect.async((resume) => {
  const stopListening = () => {
    for (const signal of SIGNALS) process.removeListener(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    stopListening()
    resume(Effect.succeed(signal === "SIGINT" ? "SIGINT" : "SIGTERM"))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return Effect.sync(stopListening)
})
