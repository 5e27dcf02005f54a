/**
 * The platform's timers, read when this module is loaded. Fake timers that a test installs later
 * replace the globals and never run by themselves, so a task that was given to them would hang.
 */

/** Globals of every platform, declared here because core is independent of platforms. */
declare const setTimeout: (run: () => void, delayMs: number) => Timeout
declare const clearTimeout: (timeout: Timeout) => void

/** A number in browsers, an object in Node. */
type Timeout = number | { readonly unref?: () => void }

const startTimeout = setTimeout
const stopTimeout = clearTimeout

/** Platforms treat a longer delay as 0. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** The options of a timer. */
export type TimerOptions = {
  /** Lets the process end before the timer fires, on platforms with processes. */
  readonly unref?: boolean
}

/**
 * Calls `run` once after `delayMs` milliseconds; never if that is more than 2^31 - 1 (24.8 days),
 * as Effect's clock does. Returns a function that cancels it.
 */
export const startTimer = (
  delayMs: number,
  run: () => void,
  { unref = false }: TimerOptions = {}
): (() => void) => {
  if (!(delayMs <= MAX_DELAY_MS)) return () => undefined
  const timeout = startTimeout(run, delayMs)
  if (unref && typeof timeout === "object") timeout.unref?.()
  return () => stopTimeout(timeout)
}

/** Lets timers and sockets run. */
export const yieldToPlatform = (): Promise<void> =>
  new Promise((resolve) => {
    startTimeout(resolve, 0)
  })
