/**
 * The platform's timers, taken when this module is loaded. Fake timers that a test installs later
 * replace the globals and run nothing by themselves: a write would wait forever for its commit.
 */
export const { setImmediate, clearImmediate, setTimeout, clearTimeout } = globalThis

/**
 * Milliseconds by a clock that is never set. Bound, since fake timers replace `now` of the object
 * too.
 */
export const monotonicMs: () => number = performance.now.bind(performance)

/**
 * Milliseconds since 1970, for what is noted of a file: operators hold it against their calendars.
 */
export const wallClockMs: () => number = Date.now.bind(Date)
