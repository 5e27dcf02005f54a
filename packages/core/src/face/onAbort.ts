/** Waits for signals to abort, by one listener for a signal however many wait for it: platforms warn of more than ten. */
import type { WatchedSignal } from "./signal.js"

type Waiters = {
  readonly runs: Set<() => void>
  /** Takes the listener from the signal. */
  readonly stop: () => void
}

const waitersOf = new WeakMap<WatchedSignal, Waiters>()

/**
 * Runs something once the signal aborts, at once where it has; `run` must not throw. Returns what ends the wait:
 * after that the signal remembers nothing of it, however long it lives.
 */
export const onAbort = (signal: WatchedSignal, run: () => void): (() => void) => {
  if (signal.aborted) {
    run()
    return () => undefined
  }
  const { runs, stop } = waitersOf.get(signal) ?? listen(signal)
  const own = () => run()
  runs.add(own)
  return () => {
    if (runs.delete(own) && runs.size === 0) stop()
  }
}

const listen = (signal: WatchedSignal): Waiters => {
  const runs = new Set<() => void>()
  const stop = (): void => {
    signal.removeEventListener("abort", abort)
    waitersOf.delete(signal)
  }
  const abort = (): void => {
    stop()
    for (const run of runs) run()
  }
  const waiters = { runs, stop }
  waitersOf.set(signal, waiters)
  signal.addEventListener("abort", abort)
  return waiters
}
