/**
 * Waits for a signal to abort. All waiters of a signal share one listener, as Node warns of a leak
 * at eleven.
 */
import type { WatchedSignal } from "./Signal.js"

type Waiters = {
  readonly runs: Set<() => void>
  /** Removes the listener from the signal. */
  readonly stop: () => void
}

const waitersOf = new WeakMap<WatchedSignal, Waiters>()

/**
 * Calls `run` when the signal aborts, or at once if it is aborted. `run` must not throw. The
 * returned function ends the wait and removes the listener.
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
