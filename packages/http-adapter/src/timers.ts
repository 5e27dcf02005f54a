/**
 * The platform's timers, read when this module is loaded. Fake timers that a test installs later
 * replace the globals and never run by themselves, so a task that was given to them would hang.
 */
export const { setTimeout, clearTimeout } = globalThis

/**
 * Milliseconds by a monotonic clock. Bound, since fake timers replace `performance.now` as well.
 */
export const monotonicMs: () => number = performance.now.bind(performance)

/** Runs after the events of sockets. Not every platform has `setImmediate`. */
export const setImmediate: (run: () => void) => void =
  globalThis.setImmediate ?? ((run) => setTimeout(run, 0))

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
