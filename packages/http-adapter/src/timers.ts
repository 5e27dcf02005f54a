/**
 * The platform's timers, taken when this module is loaded. Fake timers that a test installs later
 * replace the globals and run nothing by themselves: whatever was handed to them would wait
 * forever.
 */
export const { setTimeout, clearTimeout } = globalThis

/**
 * Milliseconds by a clock that is never set. Bound, since fake timers replace `now` of the object
 * too.
 */
export const monotonicMs: () => number = performance.now.bind(performance)

/** Runs once sockets had their turn. Not every platform has `setImmediate`. */
export const setImmediate: (run: () => void) => void =
  globalThis.setImmediate ?? ((run) => setTimeout(run, 0))

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
