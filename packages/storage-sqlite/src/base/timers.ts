/**
 * The timers of the platform, read when this module is loaded. A host may install fake timers
 * later, which replace the globals and never fire by themselves: writes would wait forever.
 */
export const { setImmediate, clearImmediate, setTimeout, clearTimeout } = globalThis

/** Milliseconds of a monotonic clock. Bound, since fake timers also replace `performance.now`. */
export const monotonicMs: () => number = performance.now.bind(performance)

/** Milliseconds since 1970, for the times in a file that operators read. */
export const wallClockMs: () => number = Date.now.bind(Date)
